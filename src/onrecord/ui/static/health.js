// Where there is much to count, the count goes on while one looks at it.
"use strict";

const place = document.querySelector("[data-growth]");

async function countOn() {
  while (document.getElementById("growth").dataset.whole === "no") {
    const answer = await fetch(place.dataset.growth, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    const open = place.querySelector("details")?.open;
    place.replaceChildren(made.content);
    if (open) place.querySelector("details").open = true;
  }
}

countOn().catch(() => window.say("The count stopped. Reload the page to go on."));
