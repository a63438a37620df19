import CircleAlert from 'icon:circle-alert';
import { useAgain } from './use-again.ts';

interface ErrorNoticeProps {
  /** What is not there. */
  title?: string;
  /** Why, as the server says it. */
  text: string;
  /** What the way on is called. */
  again?: string;
  onAgain: () => unknown;
  /** It takes along what is on the page: it waits until somebody wants it. */
  isByHand?: boolean;
}

/** Something could not be loaded: why, and the way on, which is also taken by itself when the connection is back. */
export function ErrorNotice({
  title = 'This did not load',
  text,
  again = 'Try again',
  onAgain,
  isByHand,
}: ErrorNoticeProps) {
  useAgain(() => isByHand || onAgain());
  return (
    <div class="empty load-error" role="alert">
      <CircleAlert size="m" />
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="actions">
        <button class="btn" type="button" onClick={() => void onAgain()}>
          {again}
        </button>
      </div>
    </div>
  );
}
