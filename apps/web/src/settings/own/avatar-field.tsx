import ImageUp from 'icon:image-up';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../data/request.ts';
import { Problem } from '../problem.tsx';
import { drawSquare, encode, readAvatar } from './square-avatar.ts';

interface AvatarFieldProps {
  label: string;
  /** URL of the current avatar; `null` if there is none. */
  src: string | null;
  /** Saves the avatar, cropped to a square and re-encoded. The message of a thrown error is shown next to the field. */
  onPick: (avatar: Blob) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
  /** The current avatar. */
  children: ComponentChildren;
  /** A circle for users, a square for programs. */
  shape?: 'circle' | 'square';
  /** Says who can see the avatar. */
  help: string;
}

/** A field to choose an avatar, with a preview of the square crop before the upload. */
export function AvatarField(props: AvatarFieldProps) {
  const { label, src, onPick, onRemove, children, shape = 'circle', help } = props;
  const id = useId();
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const canvas = useRef<HTMLCanvasElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const file = useRef<HTMLInputElement>(null);

  const attempt = async (action: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await action();
    } catch (error) {
      setError(errorMessage(error));
    }
    setBusy(false);
  };
  const leavePreview = () => {
    setChosen(null);
    setError('');
    choose.current?.focus();
  };
  const preview = (picked: File | undefined) =>
    attempt(async () => {
      if (picked) setChosen(await readAvatar(picked));
    });
  const save = () =>
    attempt(async () => {
      if (!canvas.current) return;
      await onPick(await encode(canvas.current));
      leavePreview();
    });
  const remove = () =>
    attempt(async () => {
      await onRemove();
      choose.current?.focus();
    });

  return (
    <div class="field avatar-field" role="group" aria-labelledby={`${id}-label`}>
      <span class="label" id={`${id}-label`}>
        {label}
      </span>
      <div class="row">
        {chosen ? <Preview shape={shape} avatar={chosen} canvas={canvas} /> : children}
        <div class="actions">
          {chosen && <SaveButton isBusy={isBusy} onSave={() => void save()} />}
          {chosen && (
            <button class="btn" type="button" onClick={leavePreview}>
              Cancel
            </button>
          )}
          <button
            class={chosen ? 'btn is-bare' : 'btn'}
            type="button"
            ref={choose}
            aria-describedby={`${id}-help ${id}-error`}
            onClick={() => file.current?.click()}
          >
            <ImageUp size="s" />
            {chosen || src !== null ? 'Choose another image' : 'Choose image'}
          </button>
          {!chosen && src !== null && (
            <button class="btn is-bare" type="button" aria-disabled={isBusy} onClick={() => void remove()}>
              Remove
            </button>
          )}
        </div>
      </div>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp,image/*"
        hidden
        ref={file}
        onChange={({ currentTarget }) => {
          void preview(currentTarget.files?.[0]);
          // Allows choosing the same file again.
          currentTarget.value = '';
        }}
      />
      <p class="help" id={`${id}-help`} role="status">
        {chosen ? 'Preview. Nothing is uploaded until you save.' : help}
      </p>
      <Problem id={`${id}-error`} text={failure} />
    </div>
  );
}

interface PreviewProps {
  shape: 'circle' | 'square';
  avatar: ImageBitmap;
  canvas: { current: HTMLCanvasElement | null };
}

function Preview({ shape, avatar, canvas }: PreviewProps) {
  useEffect(() => {
    if (canvas.current) drawSquare(canvas.current, avatar);
    return () => avatar.close();
  }, [avatar]);
  return (
    <span class={shape === 'square' ? 'avatar is-xl is-key' : 'avatar is-xl'}>
      <canvas ref={canvas} role="img" aria-label="Avatar preview" />
    </span>
  );
}

/** Takes the focus, since saving is the next step for keyboard users. */
function SaveButton({ isBusy, onSave }: { isBusy: boolean; onSave: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button class="btn is-main" type="button" ref={button} aria-disabled={isBusy} onClick={onSave}>
      {isBusy ? 'Saving…' : 'Save avatar'}
    </button>
  );
}
