// Facts change as the filter and the slider of time are moved, without a reload.
"use strict";

document.documentElement.classList.add("scripted");

const sieve = document.getElementById("sieve");
if (sieve) {
  const date = sieve.elements.as_of;
  const range = sieve.querySelector("input[type=range]");
  const said = sieve.querySelector("output");
  let asked = 0;

  // The slider moves the date; at its right end it is now.
  if (range) {
    range.hidden = false;
    const first = Date.parse(range.dataset.first + "T00:00:00Z");
    const show = () => { said.textContent = date.value ? new Date(date.value + "T00:00:00Z").toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }) : ""; range.setAttribute("aria-valuetext", said.textContent || "now"); };
    range.addEventListener("input", () => {
      const now = range.value === range.max;
      date.value = now ? "" : new Date(first + range.value * 864e5).toISOString().slice(0, 10);
      show();
    });
    date.addEventListener("input", () => {
      range.value = date.value ? (Date.parse(date.value + "T00:00:00Z") - first) / 864e5 : range.max;
      show();
    });
    show();
  }

  async function shown(address) {
    const turn = ++asked;
    const box = document.getElementById("found");
    box.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (!answer.ok) { location.assign(address); return; }
      const page = document.createElement("template");
      page.innerHTML = await answer.text();
      const found = page.content.getElementById("found");
      if (turn !== asked) return; // something newer was asked
      if (!found) { location.assign(address); return; }
      box.replaceWith(found);
      history.replaceState(null, "", address);
      const count = found.querySelector(".count");
      document.getElementById("news").textContent = count ? count.textContent : "No fact matches.";
    } catch {
      say("The service did not answer.");
      box.removeAttribute("aria-busy");
    }
  }

  sieve.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(sieve)) if (value !== "") query.set(name, value);
    shown(sieve.getAttribute("action").split("?")[0] + (query.size ? `?${query}` : ""));
  });
}
