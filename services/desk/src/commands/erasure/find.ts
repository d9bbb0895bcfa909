import { resolveId } from '../../ids.js';
import type { PersonServices } from '../../person/person-services.js';
import { type ErasureView, presentErasure } from '../../present/erasure.js';

/** Finds an open erasure by its id, or by the beginning of its id. */
export async function findErasure({ erasures, call }: PersonServices, word: string): Promise<string> {
  return resolveId(word, async () => openErasures({ erasures, call }), 'open erasure');
}

/** The open erasures, at most 200. */
export async function openErasures({
  erasures,
  call,
}: Pick<PersonServices, 'erasures' | 'call'>): Promise<readonly ErasureView[]> {
  const page = await erasures.listErasures({ all: false, email: '', pageSize: 200, pageToken: '' }, call());
  return page.erasures.map(presentErasure);
}
