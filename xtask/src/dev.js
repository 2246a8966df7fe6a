// Only `cargo xtask dev` serves this: reloads the page when something was built anew, and shows why
// a build failed.
let seen = null;
const box = document.createElement("pre");
box.hidden = true;
box.style.cssText =
  "position:fixed;inset:auto 0 0 0;z-index:9999;margin:0;padding:12px 16px;max-height:60vh;" +
  "overflow:auto;background:#5a1010;color:#fff;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap";
document.addEventListener("DOMContentLoaded", () => document.body.append(box));

function restyle(version) {
  for (const link of document.querySelectorAll("link[rel=stylesheet]")) {
    link.href = link.href.split("?")[0] + "?v=" + version;
  }
}

// Says when the page stands, so that the command can print how long a change took to be seen.
async function shown() {
  while (!document.body || document.getElementById("loading")) {
    await new Promise((done) => setTimeout(done, 30));
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  fetch("dev/shown").catch(() => {});
}
shown();

async function wait() {
  for (;;) {
    try {
      const reply = await fetch("dev/wait?after=" + (seen ?? 0));
      const { version, styles, error } = await reply.json();
      box.textContent = error;
      box.hidden = !error;
      if (seen !== null && version !== seen && !error) {
        if (!styles) return location.reload();
        restyle(version);
        fetch("dev/shown");
      }
      seen = version;
    } catch {
      // The command was stopped, or is being started again.
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}
wait();
