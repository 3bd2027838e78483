// Follows a verification. Without this script the page reloads itself.
const progress = document.querySelector("#progress");
const address = progress?.getAttribute("data-events");
if (progress && address) {
  const source = new EventSource(address);
  source.addEventListener("progress", (event) => { progress.innerHTML = event.data; });
  // The page with the verdict has links and texts that only the server knows.
  source.addEventListener("over", () => { source.close(); location.reload(); });
  // A broken connection mends itself; one that was refused does not.
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000); });
}
