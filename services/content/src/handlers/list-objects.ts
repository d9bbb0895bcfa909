import type { ListObjectsRequest, ListObjectsResponse } from '@knowledge/proto/knowledge/content/v1/content';
import { readIdPrefix } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { pageSize, readTimeToken, writeTimeToken } from '../domain/listing.js';
import type { CatalogFilter, ObjectStore } from '../store/objects.js';
import { presentObjectEntry } from './present-object.js';
import { readOptionalKind, readSite } from './wire-enums.js';

export function handleListObjects(objects: ObjectStore): UnaryHandler<ListObjectsRequest, ListObjectsResponse> {
  return async (request, { signal }) => {
    const idPrefix = readIdPrefix(request.idPrefix);
    const filter: CatalogFilter = { site: readSite(request.site), kind: readOptionalKind(request.kind), idPrefix };
    const scope = ['objects', filter.site, filter.kind ?? null, ...(idPrefix === undefined ? [] : [idPrefix])];
    const size = pageSize(request.pageSize);
    const after = readTimeToken(request.pageToken, scope);
    const [page, total] = await Promise.all([objects.page(filter, after, size, signal), objects.total(filter, signal)]);
    return {
      entries: page.entries.map(presentObjectEntry),
      total,
      nextPageToken: writeTimeToken(page.next, scope),
    };
  };
}
