import { Site as WireSite } from '@knowledge/proto/knowledge/common/v1/common';
import { PromptState as WirePromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { PromptState } from '../domain/prompt.js';
import type { Site } from '../domain/site.js';

/** The site of a request that must name one. */
export function requireSite(site: WireSite): Site {
  const read = readSite(site);
  if (read === undefined) throw new KnowledgeError('validation_error', 'site is required.');
  return read;
}

/** The site of a filter; undefined for both. */
export function readSite(site: WireSite): Site | undefined {
  switch (site) {
    case WireSite.IO:
      return 'io';
    case WireSite.ORG:
      return 'org';
    case WireSite.UNSPECIFIED:
      return undefined;
    case WireSite.UNRECOGNIZED:
      throw new KnowledgeError('validation_error', 'site must be io or org.');
  }
}

export function presentSite(site: Site): WireSite {
  switch (site) {
    case 'io':
      return WireSite.IO;
    case 'org':
      return WireSite.ORG;
  }
}

/** The site of an entry of the log; what was done with a person's data has none. */
export function presentLogSite(site: Site | undefined): WireSite {
  return site === undefined ? WireSite.UNSPECIFIED : presentSite(site);
}

/** The state of a filter; undefined for all. */
export function readPromptState(state: WirePromptState): PromptState | undefined {
  switch (state) {
    case WirePromptState.SCHEDULED:
      return 'scheduled';
    case WirePromptState.ACTIVE:
      return 'active';
    case WirePromptState.CLOSED:
      return 'closed';
    case WirePromptState.UNSPECIFIED:
      return undefined;
    case WirePromptState.UNRECOGNIZED:
      throw new KnowledgeError('validation_error', 'state must be a state of prompts.');
  }
}

export function presentPromptState(state: PromptState): WirePromptState {
  switch (state) {
    case 'scheduled':
      return WirePromptState.SCHEDULED;
    case 'active':
      return WirePromptState.ACTIVE;
    case 'closed':
      return WirePromptState.CLOSED;
  }
}
