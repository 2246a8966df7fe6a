"use strict";
// Adds to a page that can be read without it: a filter of the list and a stepper in each run.
const list = document.querySelector(".runs");
const problems = [...document.querySelectorAll(".p")];
const bar = document.createElement("div");
bar.className = "bar";
const pick = (label, entries) => {
  const box = document.createElement("label");
  const select = document.createElement("select");
  for (const [value, text] of entries) select.add(new Option(text, value));
  box.append(label + " ", select);
  bar.append(box);
  select.addEventListener("change", filter);
  return select;
};
const tasks = [...new Set(problems.map((p) => p.dataset.f))];
const family = pick("Problems", [["", "all"], ...tasks.map((t) => [t, t])]);
const verdict = pick("with a run that is", [["", "anything"], ["0", "correct"], ["1", "partial"], ["2", "incorrect"], ["3", "without an answer"]]);
const count = document.createElement("output");
bar.append(count);
function filter() {
  let n = 0;
  for (const p of problems) {
    p.hidden = (family.value && p.dataset.f !== family.value) || (verdict.value && !p.dataset.v.includes(verdict.value));
    n += p.hidden ? 0 : 1;
  }
  count.textContent = `${n} of ${problems.length} problems`;
}
list.before(bar);
filter();
document.addEventListener("toggle", (event) => {
  const problem = event.target;
  if (!problem.matches?.(".p") || !problem.open || problem.dataset.ready) return;
  problem.dataset.ready = "1";
  for (const steps of problem.querySelectorAll(".t")) stepper(steps);
}, true);
function stepper(steps) {
  const items = [...steps.children];
  if (items.length < 2) return;
  let at = items.length;
  const tools = document.createElement("div");
  tools.className = "bar";
  const place = document.createElement("output");
  const go = (to) => {
    at = Math.max(1, Math.min(items.length, to));
    items.forEach((item, i) => {
      item.classList.toggle("now", i === at - 1);
      item.classList.toggle("later", i >= at);
    });
    place.textContent = `step ${at} of ${items.length}`;
  };
  for (const [text, name, to] of [["First", "First step", () => 1], ["Back", "Previous step", () => at - 1], ["Next", "Next step", () => at + 1], ["Last", "Last step", () => items.length]]) {
    const button = document.createElement("button");
    button.textContent = text;
    button.title = name;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => go(to()));
    tools.append(button);
  }
  tools.append(place);
  steps.parentElement.before(tools);
  place.textContent = `${items.length} steps`;
}
