/** What is wrong with a field. It is there always, so that what comes into it is announced. */
export function Fault({ id, words }: { id: string; words: string }) {
  return (
    <p class="fault" id={id} role="alert">
      {words}
    </p>
  );
}
