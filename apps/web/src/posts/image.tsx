import Image from 'icon:image';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shownText } from './shown-text.ts';

/** Pictures that the reader has asked for stay shown, also when their post is drawn anew. */
const shown = new Set<string>();

/** A picture of another server: loading it tells that server who reads, so it is loaded only when the reader asks. */
export function Avatar({ address, text }: { address: string; text: string }) {
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
    <span class="image">
      <button class="image-chip" type="button" aria-expanded={isShown} onClick={toggle}>
        <Image size="s" />
        {text !== '' && <bdi>{shownText(text)}</bdi>}
        <span class="label">{isShown ? 'Hide the picture' : `Show the picture from ${host}`}</span>
      </button>
      {isShown && !hasFailed && (
        <img
          src={address}
          alt={text}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setFailed(true)}
        />
      )}
      {hasFailed && (
        <span class="image-error" role="status">
          {`It could not be loaded from ${host}. `}
          <a href={address} target="_blank" rel="noopener noreferrer nofollow">
            Open it there
          </a>
        </span>
      )}
    </span>
  );
}

interface AvatarLinkProps {
  addresses: readonly string[];
  /** The link itself. */
  children: (areAvatarsShown: boolean) => ComponentChildren;
}

/** A link that holds pictures, and beside it the button that shows them. */
export function AvatarLink({ addresses, children }: AvatarLinkProps) {
  const [isShown, setShown] = useState(addresses.every((address) => shown.has(address)));
  const toggle = () => {
    for (const address of addresses) isShown ? shown.delete(address) : shown.add(address);
    setShown(!isShown);
  };
  const [first = ''] = addresses;
  const label = isShown ? 'Hide the picture' : `Show the picture from ${new URL(first).host}`;
  return (
    <span class="image-link">
      {children(isShown)}
      <button
        class="image-chip is-bare"
        type="button"
        aria-expanded={isShown}
        aria-label={label}
        title={label}
        onClick={toggle}
      >
        <Image size="s" />
      </button>
    </span>
  );
}

/** A picture in a link: its words, until the reader asks for it. */
export function LinkedAvatar({ address, text, isShown }: { address: string; text: string; isShown: boolean }) {
  const [hasFailed, setFailed] = useState(false);
  if (!isShown || hasFailed) return <bdi>{shownText(text === '' ? new URL(address).host : text)}</bdi>;
  return (
    <img
      src={address}
      alt={text}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}
