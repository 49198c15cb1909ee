// The page of a conversation: the timeline changes in its place, and messages go on where they end.
"use strict";

const AUTOMATIC = 10; // pages that are loaded by scrolling alone
let loaded = 0;

// A part of a page, as our own server renders it.
async function part(address, name) {
  const asked = new URL(address, location.href);
  asked.searchParams.set("part", name);
  asked.hash = "";
  const answer = await fetch(asked, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.status);
  const made = document.createElement("template");
  made.innerHTML = await answer.text();
  return made.content;
}

// The timeline: looked at closer, moved, a summary opened; the messages stay where they are.
const timeline = document.getElementById("timeline");

async function swap(address, remember) {
  timeline.setAttribute("aria-busy", "true");
  try {
    timeline.replaceChildren(await part(address, "timeline"));
    if (remember) history.pushState({ swapped: true }, "", address);
    rove();
    mark();
  } catch {
    location.href = address;
  } finally {
    timeline.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const address = link.getAttribute("href");
  const closed = link.hasAttribute("data-close") && link.closest("#node").dataset.key;
  await swap(address, true);
  if (closed) timeline.querySelector(`.node[data-key="${CSS.escape(closed)}"]`)?.focus({ preventScroll: true });
  const opened = document.getElementById("node");
  const chosen = timeline.querySelector(".node[aria-current]");
  if (link.closest("svg") && chosen) chosen.focus({ preventScroll: true });
  else if (opened && link.closest(".around")) opened.focus({ preventScroll: true });
});

window.addEventListener("popstate", () => {
  const moved = new URL(location.href);
  if (timeline && !moved.hash) swap(moved.href, false);
});

// One stop for the tab key; arrow keys go from one summary to the next, and from level to level.
function rove() {
  const nodes = [...timeline.querySelectorAll(".node")];
  const first = nodes.find((node) => node.hasAttribute("aria-current")) ?? nodes[0];
  for (const node of nodes) node.setAttribute("tabindex", node === first ? "0" : "-1");
}

function middle(node) {
  const box = node.getBoundingClientRect();
  return box.left + box.width / 2;
}

function neighbour(node, key) {
  const nodes = [...timeline.querySelectorAll(".node")];
  const lane = Number(node.dataset.lane);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const same = nodes.filter((one) => Number(one.dataset.lane) === lane);
    return same[same.indexOf(node) + (key === "ArrowRight" ? 1 : -1)];
  }
  const lanes = [...new Set(nodes.map((one) => Number(one.dataset.lane)))].sort((one, other) => one - other);
  const next = lanes[lanes.indexOf(lane) + (key === "ArrowDown" ? 1 : -1)];
  const there = nodes.filter((one) => Number(one.dataset.lane) === next);
  const here = middle(node);
  return there.sort((one, other) => Math.abs(middle(one) - here) - Math.abs(middle(other) - here))[0];
}

document.addEventListener("keydown", (event) => {
  const node = event.target.closest?.("#timeline .node");
  if (!node || !event.key.startsWith("Arrow")) return;
  const next = neighbour(node, event.key);
  if (!next) return;
  event.preventDefault();
  node.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});

// The messages that the open summary covers.
function mark() {
  const open = document.getElementById("node");
  const [first, last] = open ? [Number(open.dataset.first), Number(open.dataset.last)] : [1, 0];
  for (const message of document.querySelectorAll(".message")) {
    const number = Number(message.id.slice(1));
    message.classList.toggle("covered", first <= number && number <= last);
  }
}

// Older and newer messages are put where they belong, without leaving the page.
async function more(link) {
  const older = link.dataset.more === "older";
  const said = link.closest(".said");
  const messages = said.querySelector(".messages");
  link.setAttribute("aria-disabled", "true");
  let fresh;
  try {
    fresh = await part(link.getAttribute("href"), "messages");
  } catch {
    location.href = link.href;
    return;
  }
  const edge = older ? messages.firstElementChild : messages.lastElementChild;
  const before = edge.getBoundingClientRect().top;
  messages[older ? "prepend" : "append"](...fresh.querySelector(".messages").children);
  const [above, below] = said.querySelectorAll(":scope > .pager");
  const [freshAbove, freshBelow] = fresh.querySelectorAll(".pager");
  (older ? above : below).replaceWith(older ? freshAbove : freshBelow);
  if (older) window.scrollBy({ top: edge.getBoundingClientRect().top - before, behavior: "instant" });
  tidy(said);
  mark();
  watch();
}

// Each pager leads its own way, and says what is on the page now.
function tidy(said) {
  const all = said.querySelectorAll(".message");
  const number = (message) => Number(message.id.slice(1)).toLocaleString("en");
  for (const [at, pager] of [...said.querySelectorAll(":scope > .pager")].entries()) {
    pager.querySelector(at ? "[data-more=older]" : "[data-more=newer]")?.remove();
    const words = pager.querySelector("span");
    const total = words.textContent.split(" of ")[1];
    if (total) words.textContent = `${number(all[0])} – ${number(all[all.length - 1])} of ${total}`;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-more]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (link.getAttribute("aria-disabled") !== "true") more(link);
});

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const link = entry.target;
    if (!entry.isIntersecting || loaded >= AUTOMATIC || link.getAttribute("aria-disabled") === "true") continue;
    loaded += 1;
    more(link);
  }
}, { rootMargin: "300px" });

function watch() {
  seen.disconnect();
  const below = [...document.querySelectorAll(".said > .pager")].pop();
  const link = below?.querySelector("[data-more=newer]");
  if (link) seen.observe(link);
}

// What is long to gather is gathered when it is opened.
for (const fold of document.querySelectorAll("details[data-load]")) {
  fold.addEventListener("toggle", async () => {
    const inside = fold.querySelector(".inside");
    if (!fold.open || !inside.querySelector(":scope > p > a")) return;
    try {
      inside.replaceChildren(await part(fold.dataset.load, "important"));
    } catch {
      say("It could not be loaded.");
    }
  });
}

// Only one question at a time. Escape takes it back, and then closes the summary that is open.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.(".forget") || !event.target.open) return;
  for (const other of document.querySelectorAll(".forget[open]")) if (other !== event.target) other.open = false;
  event.target.querySelector("form").scrollIntoView({ block: "nearest" });
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const folds = document.querySelectorAll(".forget[open], .edit[open]");
  folds.forEach(fold);
  const typing = event.target.closest?.("input, textarea, select");
  if (!folds.length && !typing) document.querySelector("#node [data-close]")?.click();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-cancel]");
  if (!link) return;
  event.preventDefault();
  fold(link.closest("details"));
});

function fold(details) {
  details.open = false;
  details.querySelector("summary").focus();
}

if (timeline) {
  rove();
  mark();
  watch();
}
