import CircleAlert from 'icon:circle-alert';
import { useRetry } from './use-retry.ts';

interface ErrorNoticeProps {
  /** The content that failed to load, as named in the notice. */
  title?: string;
  /** The error message. */
  text: string;
  /** The label of the button. */
  retryLabel?: string;
  onRetry: () => unknown;
  /** Retrying would discard what is on the page, so it happens only on request. */
  isByHand?: boolean;
}

/** An error with a retry button. It also retries automatically when the connection is back. */
export function ErrorNotice({
  title = 'This couldn’t be loaded',
  text,
  retryLabel = 'Try again',
  onRetry,
  isByHand,
}: ErrorNoticeProps) {
  useRetry(() => isByHand || onRetry());
  return (
    <div class="empty load-error" role="alert">
      <CircleAlert size="m" />
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="actions">
        <button class="btn" type="button" onClick={() => void onRetry()}>
          {retryLabel}
        </button>
      </div>
    </div>
  );
}
