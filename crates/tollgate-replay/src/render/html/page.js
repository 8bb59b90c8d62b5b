
// The page is whole without this: it reads values off charts, and opens all tables at once.
"use strict";

// What a row of a table says, with the heads of its columns.
function sentence(row) {
  const heads = row.closest("table").querySelectorAll("thead th");
  const cells = Array.from(row.cells, (cell, column) => {
    const head = heads[column].textContent;
    return `${head} ${cell.textContent}`;
  });
  return cells.join(" · ");
}

const HINT = "Point at a chart, or use the arrow keys on it, to read its values.";

function follow(figure, index) {
  const isFirst = index === 0;
  const plot = figure.querySelector(".plot");
  const area = figure.querySelector(".area");
  const readout = figure.querySelector(".readout");
  const rows = Array.from(figure.querySelectorAll("tr[data-at]"));
  if (!plot || rows.length === 0) {
    return;
  }
  const cursor = area.querySelector(".cursor");
  const places = rows.map((row) => Number(row.dataset.at));
  let shown = -1;

  function show(index) {
    shown = Math.max(0, Math.min(rows.length - 1, index));
    cursor.setAttribute("x1", places[shown] + "%");
    cursor.setAttribute("x2", places[shown] + "%");
    cursor.setAttribute("visibility", "visible");
    readout.textContent = sentence(rows[shown]);
  }

  function hide() {
    shown = -1;
    cursor.setAttribute("visibility", "hidden");
    readout.textContent = isFirst ? HINT : "";
  }

  function point(event) {
    const box = area.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * 100;
    let nearest = 0;
    places.forEach((place, index) => {
      if (Math.abs(place - at) < Math.abs(places[nearest] - at)) {
        nearest = index;
      }
    });
    show(nearest);
  }

  area.addEventListener("pointerdown", point);
  area.addEventListener("pointermove", point);
  area.addEventListener("pointerleave", hide);
  plot.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
    const ends = { Home: 0, End: rows.length - 1 };
    if (event.key in steps) {
      show(shown < 0 ? 0 : shown + steps[event.key]);
    } else if (event.key in ends) {
      show(ends[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  });
  plot.addEventListener("blur", hide);
  plot.tabIndex = 0;
  readout.hidden = false;
  hide();
}

function openAll() {
  const tables = Array.from(document.querySelectorAll("details"));
  if (tables.length === 0) {
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  function name() {
    const isOpen = tables.every((table) => table.open);
    button.textContent = isOpen ? "Hide all tables" : "Show all tables";
    return isOpen;
  }
  button.addEventListener("click", () => {
    const isOpen = name();
    tables.forEach((table) => {
      table.open = !isOpen;
    });
    name();
  });
  tables.forEach((table) => table.addEventListener("toggle", name));
  name();
  document.querySelector("footer").append(button);
}

document.querySelectorAll("figure.chart").forEach(follow);
openAll();
