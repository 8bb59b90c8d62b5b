//! The readers of all forms.

use crate::log::fields::{self, FieldMap};
use crate::log::json::recent::Origin;
use crate::log::json::scan::{self, Nodes, Value};
use crate::log::json::{JsonForm, JsonState};
use crate::log::log_format::{self, LogFormat};
use crate::log::text::message::is_message as is_text_message;
use crate::log::{Form, Line, ReadOptions, Reject, Skipped, TextForm, TextState};

/// The readers of all forms, with what they remember of a log.
#[derive(Debug)]
pub(super) struct Readers {
    /// The form that was asked for.
    forced: Option<Form>,
    fields: Option<FieldMap>,
    log_format: Option<LogFormat>,
    /// The form of the last request.
    last: Option<Form>,
    nodes: Nodes,
    text: TextState,
    pub(super) json: JsonState,
}

type Read<'l> = Result<(Line<'l>, Form), Reject>;

impl Readers {
    pub(super) fn new(options: &ReadOptions, name: &str) -> Self {
        let recent = options.recent.clone();
        let log = recent.log(name);
        let mut json = JsonState::new(options.time_zone.clone(), recent);
        json.origin = Origin { log, line: 0 };
        Self {
            forced: options.form(),
            fields: options.fields.clone(),
            log_format: options.log_format.clone(),
            last: None,
            nodes: Nodes::default(),
            text: TextState::new(options.time_zone.clone()),
            json,
        }
    }

    /// True if every line has the form that was asked for.
    pub(super) const fn is_forced(&self) -> bool {
        self.forced.is_some()
    }

    pub(super) fn read<'l>(&mut self, line: &'l [u8]) -> Read<'l> {
        if let Some(form) = self.forced {
            return self.read_as(form, line).map(|line| (line, form));
        }
        let found = match line.first() {
            Some(b'{') => self.detect_json(line),
            _ => self.detect_text(line),
        };
        if let Ok((Line::Request(_), form)) = &found {
            self.last = Some(*form);
        }
        found
    }

    /// Reads a line in a form, whatever it looks like.
    fn read_as<'l>(&mut self, form: Form, line: &'l [u8]) -> Result<Line<'l>, Reject> {
        if let Some(form) = form.text() {
            return form.read(line, &mut self.text);
        }
        if form == Form::LogFormat {
            let format = self.log_format.as_ref().ok_or(Reject::OtherForm)?;
            let read = log_format::read(format, line, &mut self.text.dates);
            return match read {
                // nginx' own error log may go to the same place.
                Err(_) if is_text_message(line) => Ok(Line::Skipped(Skipped::OtherMessage)),
                read => read,
            };
        }
        if line.first() != Some(&b'{') {
            return Err(Reject::OtherForm);
        }
        let value = scan::read(line, &mut self.nodes)?;
        match form.json() {
            Some(form) => form.read(value, &mut self.json),
            None => by_fields(self.fields.as_ref(), value, &mut self.json),
        }
    }

    fn detect_json<'l>(&mut self, line: &'l [u8]) -> Read<'l> {
        let value = scan::read(line, &mut self.nodes)?;
        if self.fields.is_some() {
            let read = by_fields(self.fields.as_ref(), value, &mut self.json);
            return read.map(|line| (line, Form::Fields));
        }
        let known = self.last.and_then(Form::json);
        let form = known.filter(|form| form.is(value));
        match form.or_else(|| JsonForm::of(value)) {
            Some(form) => Ok((form.read(value, &mut self.json)?, form.into())),
            // Where requests are JSON, so are the messages of the program that writes them.
            None if known.is_some() && is_message(value) => {
                let form = known.map_or(Form::Caddy, Form::from);
                Ok((Line::Skipped(Skipped::OtherMessage), form))
            }
            None => Err(Reject::UnknownForm),
        }
    }

    fn detect_text<'l>(&mut self, line: &'l [u8]) -> Read<'l> {
        let known = self.last.and_then(Form::text);
        let (mut reason, mut skipped) = (None, None);
        let others = TextForm::ALL
            .into_iter()
            .filter(|form| Some(*form) != known);
        for form in known.into_iter().chain(others) {
            match form.read(line, &mut self.text) {
                Ok(Line::Skipped(kind)) => {
                    skipped.get_or_insert_with(|| (Line::Skipped(kind), form.into()));
                }
                Ok(request) => return Ok((request, form.into())),
                Err(Reject::OtherForm) => {}
                // The reason of the form that the log has so far says most.
                Err(why) => reason = reason.or(Some(why)),
            }
        }
        skipped.ok_or_else(|| reason.unwrap_or(Reject::UnknownForm))
    }
}

/// Reads a line by the map; messages of known programs are passed over.
fn by_fields<'l>(
    map: Option<&FieldMap>,
    value: Value<'_, 'l>,
    state: &mut JsonState,
) -> Result<Line<'l>, Reject> {
    let map = map.ok_or(Reject::OtherForm)?;
    let read = fields::read(map, value, state);
    if let Err(Reject::Field) = read
        && let Some(form) = JsonForm::of(value)
        && let Ok(Line::Skipped(kind)) = form.read(value, state)
    {
        return Ok(Line::Skipped(kind));
    }
    read
}

fn is_message(value: Value<'_, '_>) -> bool {
    let has = |name| value.get(name).is_some();
    (has("level") || has("severity")) && (has("msg") || has("message"))
}
