// What every page can do. Pages work without it, too: forms are sent and links followed.
"use strict";

// Light and dark.
for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const next = dark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try { localStorage.setItem("theme", next); } catch { /* then only for this page */ }
  });
}

// Say something to everyone, also to those who hear the page.
let quiet;
function say(text) {
  const box = document.getElementById("say");
  box.textContent = text;
  box.classList.add("shown");
  clearTimeout(quiet);
  quiet = setTimeout(() => box.classList.remove("shown"), 4000);
}
window.say = say;

// What cannot be taken back is asked once more.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

// Copy what a button says is to be copied.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent;
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch {
    say("The browser did not let us copy. Select the text instead.");
  }
});

// The tab that is looked at is in sight, where they do not all fit.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const row = tab.parentElement;
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}

// Forms that change the page as they are changed: sent after a moment.
for (const form of document.querySelectorAll("form[data-live]")) {
  let later;
  form.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(() => form.requestSubmit(), 350);
  });
}

// A slash goes to the field that the page is about.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const field = document.querySelector("[data-main-field]");
    if (field) { event.preventDefault(); field.focus(); }
  }
});
