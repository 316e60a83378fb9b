// What a report can do beyond being read: copying, searching, jumping, the theme. Without scripts,
// or where a part is refused (storage and the clipboard of a local file), the page stays whole.
(() => {
  "use strict";
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const say = (text) => { byId("status").textContent = text; };
  for (const element of all("[data-script]")) element.hidden = false;

  // The theme: the system's until the reader chooses.
  const kThemeKey = "cudadoctor-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themeButton = byId("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const showTheme = () => { themeButton.textContent = isDark() ? "light theme" : "dark theme"; };
  try {
    const stored = localStorage.getItem(kThemeKey);
    if (stored === "dark" || stored === "light") root.dataset.theme = stored;
  } catch { /* no storage: the choice lasts as long as the page */ }
  dark.addEventListener("change", showTheme);
  themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(kThemeKey, root.dataset.theme);
    } catch { /* as above */ }
    showTheme();
  });
  showTheme();

  // Copying. The clipboard's own interface is missing outside secure contexts.
  const copyBySelection = (element) => {
    const selection = getSelection();
    selection.selectAllChildren(element);
    const done = document.execCommand("copy");
    if (done) selection.removeAllRanges();
    return done;
  };
  const copy = async (element) => {
    try {
      await navigator.clipboard.writeText(element.textContent);
      return true;
    } catch {
      return copyBySelection(element);
    }
  };
  for (const button of all(".command button")) {
    button.addEventListener("click", async () => {
      const done = await copy(button.parentElement.querySelector("code"));
      button.textContent = done ? "copied" : "selected";
      say(done ? "copied" : "the command is selected; copy it with the keyboard");
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    });
  }

  const goTo = (line) => {
    location.replace("#" + line.id);
    line.scrollIntoView({ block: "center" });
    line.firstElementChild.focus({ preventScroll: true });
  };

  // From one marked line to the next, from the one that was last visited.
  const marked = all(".tag").map((tag) => tag.parentElement);
  const jump = (step) => {
    if (marked.length === 0) return;
    const here = marked.indexOf(document.querySelector(".log span:target"));
    const next = here < 0 ? (step > 0 ? 0 : marked.length - 1) : (here + step + marked.length) % marked.length;
    goTo(marked[next]);
    say("marked line " + (next + 1) + " of " + marked.length);
  };

  // Searching the lines that are here. Highlights more than anyone steps through cost time only.
  const kMostMatches = 2000;
  const field = byId("find");
  const count = byId("count");
  const lines = all(".log pre > span");
  let matches = [];
  let current = -1;
  const textOf = (line) => Array.from(line.childNodes).find((node) => node.nodeType === Node.TEXT_NODE);
  const clear = () => {
    for (const mark of matches) {
      const line = mark.parentNode;
      if (line === null) continue;
      mark.replaceWith(mark.firstChild);
      line.normalize();
    }
    matches = [];
    current = -1;
  };
  const showMatch = (index) => {
    if (matches.length === 0) return;
    if (current >= 0) matches[current].classList.remove("now");
    current = (index + matches.length) % matches.length;
    matches[current].classList.add("now");
    matches[current].scrollIntoView({ block: "center" });
    count.textContent = (current + 1) + " of " + matches.length + (matches.length === kMostMatches ? "+" : "");
  };
  const search = () => {
    clear();
    count.textContent = "";
    if (field.value === "") return;
    const pattern = new RegExp(field.value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
    for (const line of lines) {
      let text = textOf(line);
      const found = text ? Array.from(text.data.matchAll(pattern)) : [];
      let start = 0;
      for (const match of found.slice(0, kMostMatches - matches.length)) {
        const mark = document.createElement("mark");
        const part = text.splitText(match.index - start);
        text = part.splitText(match[0].length);
        start = match.index + match[0].length;
        part.replaceWith(mark);
        mark.append(part);
        matches.push(mark);
      }
      if (matches.length === kMostMatches) break;
    }
    if (matches.length === 0) {
      count.textContent = "not found";
    } else {
      showMatch(0);
    }
  };
  if (field) {
    field.addEventListener("input", search);
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Enter") {
        event.preventDefault();
        showMatch(current + (event.shiftKey ? -1 : 1));
      } else if (event.key === "Escape") {
        field.value = "";
        search();
        field.blur();
      }
    });
    byId("previous").addEventListener("click", () => showMatch(current - 1));
    byId("next").addEventListener("click", () => showMatch(current + 1));
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input")) return;
    if (event.key === "/" && field) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "n" || event.key === "j") {
      jump(1);
    } else if (event.key === "p" || event.key === "k") {
      jump(-1);
    }
  });

  // Paper has no folds.
  addEventListener("beforeprint", () => {
    for (const details of all("details")) details.open = true;
  });
})();
