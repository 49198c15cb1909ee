// Before anything is drawn: light or dark, as was chosen here, or as the system says.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* a browser may keep nothing */ }
