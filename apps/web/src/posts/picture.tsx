import Image from 'icon:image';
import { useState } from 'preact/hooks';
import { shownText } from './shown-text.ts';

/** Pictures that the reader has asked for stay shown, also when their post is drawn anew. */
const shown = new Set<string>();

/** A picture of another server: loading it tells that server who reads, so it is loaded only when the reader asks. */
export function Picture({ address, words }: { address: string; words: string }) {
  const [isShown, setShown] = useState(shown.has(address));
  const [hasFailed, setFailed] = useState(false);
  const host = new URL(address).host;
  const toggle = () => {
    if (isShown) shown.delete(address);
    else shown.add(address);
    setShown(!isShown);
    setFailed(false);
  };
  return (
    <span class="picture">
      <button class="picture-chip" type="button" aria-expanded={isShown} onClick={toggle}>
        <Image size="s" />
        {words !== '' && <bdi>{shownText(words)}</bdi>}
        <span class="do">{isShown ? 'Hide the picture' : `Show the picture from ${host}`}</span>
      </button>
      {isShown && !hasFailed && (
        <img
          src={address}
          alt={words}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setFailed(true)}
        />
      )}
      {hasFailed && (
        <span class="picture-fault" role="status">
          {`It could not be loaded from ${host}. `}
          <a href={address} target="_blank" rel="noopener noreferrer nofollow">
            Open it there
          </a>
        </span>
      )}
    </span>
  );
}
