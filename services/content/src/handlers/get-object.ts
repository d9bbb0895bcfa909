import type { GetObjectRequest, GetObjectResponse } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { isUuid } from '../domain/bounds.js';
import type { ObjectStore } from '../store/objects.js';
import { presentObject } from './present-object.js';

// Asked for in place of a malformed id, so that time tells nothing about it (gateway/PROTOCOL.md#objects).
const nobody = '00000000-0000-0000-0000-000000000000';

export function handleGetObject(objects: ObjectStore): UnaryHandler<GetObjectRequest, GetObjectResponse> {
  return async ({ id }, { signal }) => {
    const object = await objects.published(isUuid(id) ? id : nobody, signal);
    if (object === undefined) throw new KnowledgeError('not_found', 'There is no published object of this id.');
    return { object: presentObject(object) };
  };
}
