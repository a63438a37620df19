/** An address that leads nowhere, or to what one may not see: which of them is not said. */
export function NotFound() {
  return (
    <main class="main" id="main">
      <header class="bar">
        <h1 class="bar-title">
          <span>Nothing here</span>
        </h1>
      </header>
      <div class="empty">
        <p>There is no such page, or you do not belong to its Hub.</p>
        <a class="btn" href="/stream">
          Go to the Stream
        </a>
      </div>
    </main>
  );
}
