import { type ContentServiceService, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import type { GrpcClient } from '@knowledge/runtime/client';
import { resolveId } from '../../ids.js';
import type { Session } from '../../session.js';
import { sites } from '../../words.js';

/** Finds the id of a published object of either site by the first characters of the id. */
export function findObjectId(
  session: Session,
  content: GrpcClient<typeof ContentServiceService>,
  word: string,
): Promise<string> {
  const request = { kind: ObjectKind.UNSPECIFIED, pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) => {
    const pages = await Promise.all(
      sites.words.map((site) =>
        content.listObjects({ ...request, site: sites.toWire(site), idPrefix }, session.callContext()),
      ),
    );
    return pages.flatMap(({ entries }) => entries);
  };
  return resolveId(word, find, 'object of the catalog');
}
