/** Something could not be loaded: why, and the way on. */
export function Trouble({ words, onAgain }: { words: string; onAgain: () => void }) {
  return (
    <div class="trouble" role="alert">
      <p>{words}</p>
      <button class="btn" type="button" onClick={() => onAgain()}>
        Try again
      </button>
    </div>
  );
}
