import { Image } from 'icons';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shownText } from '../../lib/posts/shown-text.ts';

/** The URLs of images that the reader has chosen to show, which stay shown when their post is rendered again. */
const visible = new Set<string>();

interface PostImageProps {
  address: string;
  text: string;
  /** In a link, whether the reader has asked for its images; `undefined`: it stands on its own. */
  isShown?: boolean | undefined;
}

/** An image on another server. Loading it tells that server who is reading, so it is loaded only on request. */
export function PostImage({ isShown, ...image }: PostImageProps) {
  return isShown === undefined ? <LoneImage {...image} /> : <LinkedImage {...image} isShown={isShown} />;
}

function LoneImage({ address, text }: Pick<PostImageProps, 'address' | 'text'>) {
  const [isShown, setShown] = useState(visible.has(address));
  const [hasFailed, setFailed] = useState(false);
  const host = new URL(address).host;
  const toggle = () => {
    if (isShown) visible.delete(address);
    else visible.add(address);
    setShown(!isShown);
    setFailed(false);
  };
  return (
    <span class="image">
      <button class="image-chip" type="button" aria-expanded={isShown} onClick={toggle}>
        <Image />
        {text !== '' && <bdi>{shownText(text)}</bdi>}
        <span class="label">{isShown ? 'Hide image' : `Show image from ${host}`}</span>
      </button>
      {isShown && !hasFailed && <RemoteImage address={address} text={text} onError={() => setFailed(true)} />}
      {hasFailed && (
        <span class="image-error" role="status">
          {`Couldn’t load the image from ${host}. `}
          <a href={address} target="_blank" rel="noopener noreferrer nofollow">
            Open in new tab
          </a>
        </span>
      )}
    </span>
  );
}

interface ImageLinkProps {
  addresses: readonly string[];
  children: (areImagesShown: boolean) => ComponentChildren;
}

/** A link that contains images, with a button beside it that shows them. */
export function ImageLink({ addresses, children }: ImageLinkProps) {
  const [isShown, setShown] = useState(addresses.every((address) => visible.has(address)));
  const toggle = () => {
    for (const address of addresses) isShown ? visible.delete(address) : visible.add(address);
    setShown(!isShown);
  };
  const [first = ''] = addresses;
  const label = isShown ? 'Hide image' : `Show image from ${new URL(first).host}`;
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
        <Image />
      </button>
    </span>
  );
}

/** An image in a link: its alternative text until the reader asks for the image. */
function LinkedImage({ address, text, isShown }: PostImageProps) {
  const [hasFailed, setFailed] = useState(false);
  if (!isShown || hasFailed) return <bdi>{shownText(text === '' ? new URL(address).host : text)}</bdi>;
  return <RemoteImage address={address} text={text} onError={() => setFailed(true)} />;
}

function RemoteImage({ address, text, onError }: Pick<PostImageProps, 'address' | 'text'> & { onError: () => void }) {
  return (
    <img src={address} alt={text} loading="lazy" decoding="async" referrerpolicy="no-referrer" onError={onError} />
  );
}
