/** The error message of a field. Always rendered, so that screen readers announce a new message. */
export function Problem({ id, text }: { id: string; text: string }) {
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}
