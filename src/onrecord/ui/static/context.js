// The form of the page: choices that are made with a pointer show their prompt at once. (With keys, a choice passes
// through others on its way, so there it waits for Enter.)
"use strict";

const asks = document.querySelector("form.asks");
if (asks) {
  const question = asks.elements.question;
  for (const field of asks.querySelectorAll("[data-at-once]")) {
    let pointed = false;
    field.addEventListener("pointerdown", () => { pointed = true; });
    field.addEventListener("keydown", () => { pointed = false; });
    field.addEventListener("change", () => {
      if (field.name === "before" && field.value) question.value = ""; // a past question was chosen: it is asked
      if (pointed) asks.requestSubmit();
    });
  }

  // Fields that say nothing need not stand in the address.
  asks.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData.entries()]) {
      if (value === "") event.formData.delete(name);
    }
  });

  // Enter asks; Shift and Enter begin another line.
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      asks.requestSubmit();
    }
  });
}
