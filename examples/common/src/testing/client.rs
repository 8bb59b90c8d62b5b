//! A small HTTP client that knows the form of our answers.

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

/// Calls the service, with or without a token.
#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    http: reqwest::Client,
    token: Option<String>,
    address: Option<String>,
}

impl Client {
    /// A client without a token; `base` is `http://ADDRESS`.
    pub fn new(base: String) -> Self {
        Self {
            base,
            http: reqwest::Client::new(),
            token: None,
            address: None,
        }
    }

    /// The same with a token.
    pub fn with_token(&self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self.clone()
        }
    }

    /// A client that a trusted proxy says to be at `address`.
    pub fn at_address(&self, address: &str) -> Self {
        Self {
            address: Some(address.to_owned()),
            ..self.clone()
        }
    }

    /// The token that it shows.
    pub fn token(&self) -> &str {
        self.token.as_deref().unwrap()
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    /// PATCH with a JSON body.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, Some(body)).await
    }

    /// PUT without a body.
    pub async fn put(&self, path: &str) -> Answer {
        self.send(Method::PUT, path, None).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Any request, with a JSON body or none.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let request = self.request(method, path);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        Answer::read(request).await
    }

    /// A request to be completed by the caller.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        let request = match &self.address {
            Some(address) => request.header("x-forwarded-for", address),
            None => request,
        };
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }
}

/// What the service answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body as text.
    pub body: String,
}

impl Answer {
    /// Sends a request and reads the answer to its end.
    pub async fn read(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        Self {
            status,
            headers,
            body: response.text().await.unwrap(),
        }
    }

    /// The body as JSON, or null without one, if the status is `status`.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        if self.body.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&self.body).unwrap()
        }
    }

    /// The message of an error answer, if it has this status, this code and the common form.
    #[track_caller]
    pub fn expect_error(&self, status: u16, code: &str) -> String {
        let body = self.expect(status);
        assert_eq!(body["error"], code, "{self:?}");
        assert_eq!(body.as_object().unwrap().len(), 2, "{self:?}");
        assert_eq!(self.headers["content-type"], "application/json");
        let message = body["message"].as_str().unwrap();
        assert!(!message.is_empty());
        message.to_owned()
    }
}
