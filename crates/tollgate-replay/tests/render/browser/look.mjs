// Opens pages in Chromium and says, as JSON, what it saw.
//
//   node look.mjs MODULES FOLDER
//
// MODULES has playwright-core and axe-core (scripts/browser); FOLDER has pages, *.html. If
// TOLLGATE_PICTURES is set, a picture of each view is left beside them. The browser has no network, and asking for any is told.
import { createRequire } from "node:module";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, folder] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const VIEWS = [
  { view: "light", width: 1280, colorScheme: "light", isAudited: true },
  { view: "dark", width: 1280, colorScheme: "dark", isAudited: true },
  { view: "phone", width: 360, colorScheme: "light", isAudited: true },
  { view: "phone-dark", width: 360, colorScheme: "dark" },
  { view: "print", width: 688, colorScheme: "dark", media: "print" },
  { view: "no-script", width: 1280, colorScheme: "light", javaScriptEnabled: false },
];

// What is wider than the page, and what is wider than the box that it is in.
function overflows() {
  const width = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > width) {
    found.push(`the page is ${document.documentElement.scrollWidth} wide in ${width}`);
  }
  for (const element of document.querySelectorAll("svg text, h1, h2, p, li, dd, .key, summary")) {
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && !element.closest(".scroll");
    if (isSeen && (box.right > width + 1 || box.left < -1)) {
      found.push(`${element.tagName} "${element.textContent.slice(0, 40)}" ${box.left} to ${box.right}`);
    }
  }
  return found;
}

// Labels of one axis that are drawn over each other.
function collisions() {
  const found = [];
  for (const chart of document.querySelectorAll("svg.area, svg.ups")) {
    const texts = [...chart.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    texts.forEach(([a, one], index) => {
      for (const [b, other] of texts.slice(index + 1)) {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 1 && down > 3) {
          found.push(`"${a}" and "${b}"`);
        }
      }
    });
  }
  return found;
}

// Rows of tables that are to be seen whole that are not, and those of their first columns.
function unseen() {
  const found = [];
  for (const box of document.querySelectorAll(".whole")) {
    const { right, bottom } = box.getBoundingClientRect();
    for (const row of box.querySelectorAll("tr")) {
      for (const cell of [...row.cells].slice(0, 4)) {
        const place = cell.getBoundingClientRect();
        if (place.right > right + 1 || place.bottom > bottom + 1) {
          found.push(`"${cell.textContent}" ends at ${place.right}, ${place.bottom} in ${right}, ${bottom}`);
        }
      }
    }
  }
  return found;
}

async function readValues(page) {
  const plot = page.locator(".plot").first();
  if ((await plot.count()) === 0) {
    return null;
  }
  const readout = page.locator(".readout").first();
  await plot.locator(".area").hover();
  const pointed = await readout.textContent();
  await plot.focus();
  await page.keyboard.press("End");
  const last = await readout.textContent();
  await page.keyboard.press("ArrowLeft");
  return { pointed, last, before: await readout.textContent() };
}

async function openTables(page) {
  const button = page.locator("button");
  if ((await button.count()) === 0) {
    return null;
  }
  await button.click();
  return { open: await page.locator("details[open]").count(), name: await button.textContent() };
}

// What axe has to say against what is shown of the page. It looks at each of the thousands of cells of
// tables that are not open too, unless it is told not to.
async function violations(page, seen) {
  const result = await page.evaluate(() =>
    globalThis.axe.run({ exclude: [["details:not([open]) > .scroll"]] }, { resultTypes: ["violations"] }),
  );
  seen.rules = result.passes.length;
  return result.violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map((node) => node.html.slice(0, 200));
    return `${id}: ${help}: ${places.join(" | ")}`;
  });
}

async function look(browser, name, { view, width, media, isAudited, ...options }) {
  const file = pathToFileURL(join(folder, `${name}.html`)).href;
  const context = await browser.newContext({ ...options, viewport: { width, height: 900 }, offline: true });
  const page = await context.newPage();
  const seen = { page: name, view, console: [], requests: [], dialogs: 0 };
  page.on("console", (message) => seen.console.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => seen.console.push(String(error)));
  page.on("dialog", (dialog) => {
    seen.dialogs += 1;
    return dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== file) {
      seen.requests.push(request.url());
    }
  });
  if (media) {
    await page.emulateMedia({ media });
  }
  await page.goto(file);
  const scripted = options.javaScriptEnabled !== false;
  seen.title = await page.title();
  seen.text = await page.evaluate(() => document.body.innerText);
  seen.scripts = await page.evaluate(() => document.querySelectorAll("script").length);
  seen.handlers = await page.evaluate(() =>
    [...document.querySelectorAll("*")].flatMap((e) => [...e.attributes]).filter((a) => /^on|^style$|^src$/i.test(a.name)).length,
  );
  seen.overflows = await page.evaluate(overflows);
  seen.collisions = await page.evaluate(collisions);
  seen.unseen = await page.evaluate(unseen);
  if (media !== "print" && scripted) {
    seen.values = await readValues(page);
  }
  if (process.env.TOLLGATE_PICTURES) {
    await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
  }
  if (media === "print") {
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    seen.pages = (pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
    writeFileSync(join(folder, `${name}.pdf`), pdf);
  }
  if (isAudited) {
    await page.evaluate(axe);
    seen.violations = await violations(page, seen);
    seen.tables = await openTables(page);
    // All tables have the same form: those of one page will do.
    if (name === "allowed") {
      seen.violations.push(...(await violations(page, seen)));
    }
  }
  await context.close();
  return seen;
}

const browser = await chromium.launch({
  executablePath: process.env.TOLLGATE_CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
try {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".html"))
    .map((name) => name.slice(0, -5))
    .sort();
  const seen = [];
  for (const name of names) {
    for (const view of VIEWS) {
      seen.push(await look(browser, name, view));
    }
  }
  process.stdout.write(JSON.stringify({ version: browser.version(), seen }));
} finally {
  await browser.close();
}
