/** What is wrong with a field. It is there always, so that what comes into it is announced. */
export function Problem({ id, text }: { id: string; text: string }) {
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}
