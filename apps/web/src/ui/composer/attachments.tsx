import type { UploadedFile } from '@hub/contract';
import { File as FileIcon, RotateCw, X } from 'icons';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import type { AttachedFile } from '../../data/unsent/unsent.ts';
import { countText, sizeText } from '../../lib/count-text.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { IconButton } from '../button.tsx';
import type { Attached, Upload } from './use-attached.ts';

const NO_RESPONSE = 'No response';
/** Reasons that another attempt does not change, by status; `null`: the server's text, which has the limit. */
const FINAL: Readonly<Record<number, string | null>> = {
  400: 'This name can’t be used. Rename the file.',
  403: 'You can no longer post in this Hub.',
  404: 'This Hub is gone.',
  413: null,
};

/** The files of a draft, above its text. */
export function Attachments(props: Pick<Attached, 'files' | 'uploads' | 'onUploaded' | 'remove'> & { hubId: string }) {
  const { hubId, files, uploads, onUploaded, remove } = props;
  return (
    <>
      <p class="sr" role="status">
        {uploads.length === 0 && `${countText(files.length, 'file')} attached`}
      </p>
      <ul class="attachments" aria-label="Attached files">
        {files.map(({ id, name, size }) => (
          <li key={id}>
            <Thumbnail file={chosen.get(id)} />
            <bdi class="cut">{shownText(name)}</bdi>
            <span class="size">{sizeText(size)}</span>
            <IconButton icon={<X />} label={`Remove ${shownText(name)}`} onClick={() => remove(id)} />
          </li>
        ))}
        {uploads.map((each) => (
          <UploadRow
            key={each.id}
            hubId={hubId}
            upload={each}
            onUploaded={(file) => onUploaded(each, file)}
            onCancel={() => remove(each.id)}
          />
        ))}
      </ul>
    </>
  );
}

/** The files that were uploaded from this page, by the ids that the server gave them. */
const chosen = new Map<string, File>();
/** Device pixels of a thumbnail: twice its size. */
const THUMBNAIL_PIXELS = 72;

/** The middle of an image. An icon for other files and, after a reload, for images: the server shows no file before it is sent. */
function Thumbnail({ file }: { file: File | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isImage, setImage] = useState(file?.type.startsWith('image/') === true);
  useEffect(() => {
    if (!file || !isImage) return;
    createImageBitmap(file).then(
      (image) => {
        const side = Math.min(image.width, image.height);
        const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
        const drawing = canvas.current?.getContext('2d');
        drawing?.drawImage(image, left, top, side, side, 0, 0, THUMBNAIL_PIXELS, THUMBNAIL_PIXELS);
        image.close();
      },
      () => setImage(false),
    );
  }, [file]);
  if (!isImage) return <FileIcon />;
  return <canvas class="thumb" width={THUMBNAIL_PIXELS} height={THUMBNAIL_PIXELS} ref={canvas} />;
}

interface UploadRowProps {
  hubId: string;
  upload: Upload;
  onUploaded: (file: AttachedFile) => void;
  onCancel: () => void;
}

/** Uploads a file while it is shown. One that was interrupted is tried again when the connection is back. */
function UploadRow({ hubId, upload: { file }, onUploaded, onCancel }: UploadRowProps) {
  const [part, setPart] = useState(0);
  const problem = sizeProblem(file, useWorkspace().me.peek().workspace.maxFileBytes);
  const [failure, setFailure] = useState(problem);
  const [isFinal, setFinal] = useState(problem !== '');
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setFailure('');
    setPart(0);
    setAttempt(attempt + 1);
  };
  useEffect(() => {
    if (problem !== '') return;
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/hubs/${hubId}/files?name=${encodeURIComponent(file.name)}`);
    request.responseType = 'json';
    if (file.type !== '') request.setRequestHeader('content-type', file.type);
    request.upload.onprogress = ({ loaded, total }) => setPart(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = request.response as (UploadedFile & { message?: string }) | null;
      if (request.status === 201 && body) {
        chosen.set(body.id, file);
        return onUploaded({ id: body.id, name: body.name, size: body.size });
      }
      setFinal(request.status in FINAL);
      setFailure(FINAL[request.status] ?? body?.message ?? `The server returned an error (${request.status}).`);
    };
    request.onerror = () => setFailure(NO_RESPONSE);
    request.send(file);
    return () => request.abort();
  }, [attempt]);
  const isBack = isOnline.value;
  useEffect(() => {
    if (isBack && failure === NO_RESPONSE) retry();
  }, [isBack]);
  const name = shownText(file.name);
  return (
    <li class={failure === '' ? '' : 'is-bad'}>
      <Thumbnail file={file} />
      <bdi class="cut">{name}</bdi>
      {failure === '' ? (
        <progress value={part} aria-label={`Uploading ${name}`} />
      ) : (
        <span class="failure" role="alert">
          <span class="sr">{name}: </span>
          {failure}
        </span>
      )}
      {failure !== '' && !isFinal && <IconButton icon={<RotateCw />} label={`Upload ${name} again`} onClick={retry} />}
      <IconButton icon={<X />} label={failure === '' ? `Cancel ${name}` : `Remove ${name}`} onClick={onCancel} />
    </li>
  );
}

/** Returns why a file cannot be uploaded, before it is sent in vain; empty if it can. */
function sizeProblem({ size }: File, maxBytes: number): string {
  if (size === 0) return 'The file is empty.';
  return size > maxBytes ? `The file is larger than ${sizeText(maxBytes)}.` : '';
}
