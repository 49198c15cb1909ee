// Moving a weight puts in what is found by it, and keeps the address up to date. What cannot be fetched is asked for as
// a page.
"use strict";

const form = document.querySelector("form.recall");
const found = document.getElementById("found");

if (form && found) {
  const sliders = [...form.querySelectorAll("input[type=range]")];
  let asked = 0;

  // On a narrow screen the weights stand before what is found: closed at first.
  const weights = form.querySelector("details.weights");
  if (matchMedia("(max-width: 64rem)").matches) weights.open = false;

  const address = () => {
    const fields = new URLSearchParams(new FormData(form));
    for (const slider of sliders) {
      if (Math.abs(slider.value - slider.dataset.usual) < 0.001) fields.delete(slider.name);
      else fields.set(slider.name, Number(slider.value).toFixed(2));
    }
    for (const [name, value] of [...fields]) {
      if (value === "" || (name === "limit" && value === "10")) fields.delete(name, value);
    }
    return `${form.action.split("?")[0]}?${fields}`;
  };

  const showValue = (slider) => {
    slider.parentElement.querySelector("output").value = String(Math.round(slider.value * 100) / 100);
  };

  const show = async () => {
    const mine = ++asked;
    const at = address();
    found.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`${at}&part=found`, { headers: { Accept: "text/html" } });
      if (mine !== asked) return; // something newer is under way
      if (!answer.ok) { location.assign(at); return; }
      const part = document.createElement("template");
      part.innerHTML = await answer.text(); // our own part, escaped by the server
      if (mine !== asked) return;
      found.replaceChildren(part.content);
      const says = found.querySelector("[data-says]").dataset.says.split(" ");
      for (const one of form.querySelectorAll("[data-signal]")) {
        one.classList.toggle("silent", !says.includes(one.dataset.signal));
      }
      history.replaceState(null, "", at);
    } catch {
      if (mine === asked) window.say("The service did not answer.");
    } finally {
      if (mine === asked) found.removeAttribute("aria-busy");
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.elements.q.value.trim()) show();
  });
  for (const slider of sliders) {
    // The usual value holds the slider, so that it is easily found again.
    slider.addEventListener("input", () => {
      const span = slider.max - slider.min;
      if (Math.abs(slider.value - slider.dataset.usual) < span * 0.015) slider.value = slider.dataset.usual;
      showValue(slider);
    });
  }
  document.querySelector("[data-reset]").addEventListener("click", (event) => {
    event.preventDefault();
    for (const slider of sliders) {
      slider.value = slider.dataset.usual;
      showValue(slider);
    }
    show();
  });
}
