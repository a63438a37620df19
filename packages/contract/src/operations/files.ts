import * as wire from '../index.ts';
import { file, type OperationDeclaration, page } from './operation.ts';

/** An upload, for a key and for a user. */
export const uploadedFile = {
  summary: 'Upload a file',
  description:
    'The body is the file itself. It is on disk before the response, and belongs to the Hub. Pass its id in `files` of a ' +
    `message, note or to-do within ${wire.LIMITS.unattachedFileHours} hours; otherwise it is deleted.`,
  query: { name: wire.fileName },
  body: file('*/*'),
  mediaTypes: ['*/*'],
  maxBytes: wire.LIMITS.fileBytes,
} as const;

export const fileOperations = {
  'POST /hubs/{hubId}/files': {
    ...uploadedFile,
    id: 'uploadHubFile',
    access: 'user',
    // An upload can take minutes, and holds little memory.
    turn: null,
    status: 201,
    success: wire.UploadedFile,
  },
  'GET /hubs/{hubId}/files': {
    id: 'listHubFiles',
    summary: 'List the files of a Hub',
    description: 'The files of its messages, notes and to-dos, by the time of their upload.',
    access: 'member',
    query: page,
    success: wire.Page(wire.HubFile),
  },
  'GET /files/{fileId}': {
    id: 'downloadFile',
    summary: 'Download a file of an item',
    description:
      'For members of its Hub. Images are shown inline, and anything else is downloaded. A range of bytes can be requested (RFC 9110, section 14).',
    access: 'member',
    success: file('*/*'),
    errors: [416],
  },
  'GET /files/{fileId}/preview': {
    id: 'previewFile',
    summary: 'Show the preview of an image',
    description: `A WebP image without metadata, of at most ${wire.LIMITS.previewPixels} pixels in width and height. 404 for a file without \`width\`.`,
    access: 'member',
    success: file('image/webp'),
  },
} as const satisfies Record<string, OperationDeclaration>;
