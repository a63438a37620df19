import CircleAlert from 'icon:circle-alert';

interface TroubleProps {
  /** What is not there. */
  title?: string;
  /** Why, as the server says it. */
  words: string;
  /** What the way on is called. */
  again?: string;
  onAgain: () => unknown;
}

/** Something could not be loaded: why, and the way on. */
export function Trouble({ title = 'This did not load', words, again = 'Try again', onAgain }: TroubleProps) {
  return (
    <div class="empty trouble" role="alert">
      <CircleAlert size="m" />
      <h2>{title}</h2>
      <p>{words}</p>
      <div class="acts">
        <button class="btn" type="button" onClick={() => void onAgain()}>
          {again}
        </button>
      </div>
    </div>
  );
}
