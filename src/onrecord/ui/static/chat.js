// A turn as it happens. Without this the form is sent, and the page comes back with the answer.
"use strict";

(() => {
  const chat = document.querySelector("[data-chat]");
  const form = document.getElementById("composer");
  const said = document.getElementById("said");
  const beside = document.getElementById("beside");
  const FIELDS = ["model", "name", "tokens", "profile"];
  const LATER = [1500, 5000]; // milliseconds after which a look is taken at what was derived meanwhile
  let stopping = null; // of the turn under way
  let turns = 0;

  // The state of the page is its address: who answers, how many tokens, which turn is looked at.
  const wanted = () => {
    const query = new URLSearchParams(location.search);
    for (const name of FIELDS) {
      const field = form?.elements.namedItem(name);
      if (!field) continue;
      if (field.value && !(name === "name" && form.elements.model.value !== "upstream")) query.set(name, field.value);
      else query.delete(name);
    }
    return query;
  };
  const remember = (turn) => {
    const query = wanted();
    if (turn) query.set("turn", turn);
    const fields = query.toString();
    history.replaceState(null, "", location.pathname + (fields ? `?${fields}` : ""));
    for (const one of document.querySelectorAll("form[data-quiet], .settings form")) one.action = carried(one.action);
  };
  const carried = (address) => {
    const url = new URL(address, location.href);
    for (const name of [...FIELDS, "turn"]) url.searchParams.delete(name);
    for (const [name, value] of wanted()) if (name !== "space") url.searchParams.set(name, value);
    return url.toString();
  };

  // A reader at the end of the conversation stays there.
  const atEnd = () => said.getBoundingClientRect().bottom < innerHeight + 160;
  const toEnd = () => chat.querySelector(".talk").scrollIntoView({ block: "end" });

  // Put in what the server made of it; everything in it is escaped there.
  const put = (place, html) => {
    const made = document.createElement("template");
    made.innerHTML = html;
    place.replaceChildren(made.content);
  };
  const news = async (all) => {
    const answer = await fetch(carried(chat.dataset.news), { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    const part = (name) => made.content.querySelector(`[data-part="${name}"]`);
    if (all) said.replaceChildren(...part("said").childNodes);
    beside.replaceChildren(...part("beside").childNodes);
  };
  const seen = (all) => news(all).catch(() => say("The page could not be brought up to date. Load it again."));

  // A message that is not from the server yet.
  const shown = (role, text, state) => {
    const box = document.createElement("article");
    box.className = `message ${role} ${state}`;
    const head = document.createElement("header");
    const who = document.createElement("span");
    who.className = "who";
    who.textContent = role;
    head.append(who);
    const body = document.createElement("div");
    body.className = "text";
    body.dir = "auto";
    body.textContent = text;
    box.append(head, body);
    said.querySelector(":scope > .empty")?.remove();
    for (const old of said.querySelectorAll(":scope > .unsent, :scope > .problem")) old.remove();
    said.append(box);
    return box;
  };
  const trouble = (text) => {
    const line = document.createElement("p");
    line.className = "problem card";
    line.setAttribute("role", "alert");
    line.textContent = text;
    said.append(line);
  };

  const lines = async function* (stream) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const whole = (rest + value).split("\n");
      rest = whole.pop();
      for (const line of whole) if (line) yield JSON.parse(line);
    }
  };

  const busy = (is) => {
    form.querySelector("[data-stop]").hidden = !is;
    form.querySelector("[data-send]").hidden = is;
    chat.setAttribute("aria-busy", String(is));
  };

  const take = async (text) => {
    const turn = (turns += 1);
    const mine = shown("user", text, "waits");
    const heard = { answer: null, seq: 0, troubles: [] };
    const body = new URLSearchParams(new FormData(form));
    const key = form.elements.key.value;
    form.elements.key.value = crypto.getRandomValues(new Uint32Array(2)).join("-"); // what is said next is something else
    form.elements.text.value = "";
    toEnd();
    stopping = new AbortController();
    busy(true);
    try {
      const answer = await fetch(form.dataset.turn, { method: "POST", body, signal: stopping.signal });
      if (answer.ok) for await (const event of lines(answer.body)) happened(event, mine, heard);
      else heard.troubles.push(`The server did not take it (status ${answer.status}).`);
    } catch (error) {
      if (error.name !== "AbortError") heard.troubles.push("The connection was lost.");
    }
    const stopped = stopping.signal.aborted;
    stopping = null;
    busy(false);
    heard.answer?.classList.remove("comes");
    if (!heard.seq && heard.troubles.length && !heard.answer) { // it may not be kept: nothing typed is lost
      mine.remove();
      if (!form.elements.text.value) {
        form.elements.text.value = text;
        form.elements.key.value = key; // if it is kept all the same, sending it again does not keep it twice
      }
    } else {
      remember(heard.seq);
      await (stopped ? whenKept(heard) : seen(true));
    }
    for (const one of heard.troubles) trouble(one);
    toEnd();
    document.getElementById("spoken").textContent = !heard.answer ? "" : stopped ? "Stopped. What came is kept." : "The answer is complete.";
    for (const after of LATER) setTimeout(() => { if (turn === turns && !stopping) seen(false); }, after);
  };

  const happened = (event, mine, heard) => {
    const follow = atEnd();
    if (event.kind === "kept") {
      mine.classList.remove("waits");
      heard.seq = event.seq;
    } else if (event.kind === "prompt") {
      const box = document.createElement("div");
      put(box, event.part);
      document.getElementById("prompt").replaceWith(box.querySelector("#prompt"));
    } else if (event.kind === "piece") {
      heard.answer ??= shown("assistant", "", "comes");
      heard.answer.querySelector(".text").append(event.text);
    } else if (event.kind === "trouble" || event.kind === "refused") {
      heard.troubles.push(event.text);
    }
    if (follow) toEnd();
  };

  // After Stop the server keeps what came; that takes a moment.
  const whenKept = async (heard) => {
    for (let tries = 0; tries < 10; tries += 1) {
      await new Promise((go) => setTimeout(go, 150));
      await seen(true);
      const last = [...said.querySelectorAll(".message")].at(-1);
      if (!heard.answer || last?.classList.contains("assistant")) return;
    }
  };

  if (form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = form.elements.text.value;
      if (text.trim() && !stopping) take(text);
    });
    form.elements.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    form.querySelector("[data-stop]").addEventListener("click", () => stopping?.abort());
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") stopping?.abort(); });
    for (const name of FIELDS) {
      form.elements.namedItem(name)?.addEventListener("change", () => {
        remember();
        if (!stopping) seen(true);
      });
    }
  }

  // Pins, without losing what is being typed.
  document.addEventListener("submit", async (event) => {
    const quiet = event.target.closest("form[data-quiet]");
    if (!quiet || event.defaultPrevented) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(quiet));
    const answer = await fetch(quiet.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
    if (!answer || (answer.type !== "opaqueredirect" && !answer.ok)) say("That could not be done. Load the page again.");
    else if (!stopping) {
      const seq = quiet.elements.seq?.value;
      await seen(true);
      if (seq) document.querySelector(`#m${seq} .does button`)?.focus();
    }
  });

  if (!location.hash && said.querySelector(".message")) toEnd();
  if (form && !location.hash && matchMedia("(hover: hover)").matches) form.elements.text.focus({ preventScroll: true });
})();
