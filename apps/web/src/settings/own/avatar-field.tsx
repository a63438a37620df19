import ImageUp from 'icon:image-up';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../api/request.ts';
import { Problem } from '../problem.tsx';
import { drawSquare, encode, readAvatar } from './square-avatar.ts';

interface AvatarFieldProps {
  label: string;
  /** The address of the present picture; `null` if there is none. */
  src: string | null;
  /** A square, encoded anew. What it throws is said in place. */
  onPick: (avatar: Blob) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
  /** How it is shown now: the face. */
  children: ComponentChildren;
  /** A circle is a person, a square a program. */
  shape?: 'circle' | 'square';
  /** Who sees it. */
  help: string;
}

/** A picture to choose: cut to a square and looked at before it is sent. */
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
            {chosen || src !== null ? 'Choose another' : 'Choose a picture'}
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
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <p class="help" id={`${id}-help`} role="status">
        {chosen ? 'This is what is seen of it. Nothing is sent before you save it.' : help}
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
      <canvas ref={canvas} role="img" aria-label="The picture as it will be seen" />
    </span>
  );
}

/** Next is to save it: whoever has chosen with the keyboard need not look for that. */
function SaveButton({ isBusy, onSave }: { isBusy: boolean; onSave: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button class="btn is-main" type="button" ref={button} aria-disabled={isBusy} onClick={onSave}>
      {isBusy ? 'Saving…' : 'Save the picture'}
    </button>
  );
}
