import { Site as WireSite } from '@knowledge/proto/knowledge/common/v1/common';
import {
  ArticleState as WireArticleState,
  ChangeSubject as WireChangeSubject,
  ObjectKind as WireObjectKind,
} from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { type ArticleState, articleStates } from '../domain/article.js';
import type { ChangeSubject } from '../domain/change.js';
import type { ObjectKind } from '../domain/community-object.js';
import type { Site } from '../domain/site.js';

const siteToWire: Record<Site, WireSite> = { io: WireSite.IO, org: WireSite.ORG };

const stateToWire: Record<ArticleState, WireArticleState> = {
  draft: WireArticleState.DRAFT,
  scheduled: WireArticleState.SCHEDULED,
  published: WireArticleState.PUBLISHED,
  archived: WireArticleState.ARCHIVED,
};

const kindToWire: Record<ObjectKind, WireObjectKind> = {
  story: WireObjectKind.STORY,
  prompt_reply: WireObjectKind.PROMPT_REPLY,
  knowledge: WireObjectKind.KNOWLEDGE,
};

const subjectToWire: Record<ChangeSubject, WireChangeSubject> = {
  article: WireChangeSubject.ARTICLE,
  highlights: WireChangeSubject.HIGHLIGHTS,
  object: WireChangeSubject.OBJECT,
};

export function presentSite(site: Site): WireSite {
  return siteToWire[site];
}

export function presentState(state: ArticleState): WireArticleState {
  return stateToWire[state];
}

export function presentKind(kind: ObjectKind): WireObjectKind {
  return kindToWire[kind];
}

export function presentSubject(subject: ChangeSubject): WireChangeSubject {
  return subjectToWire[subject];
}

/** The site where it may be left out. Throws `validation_error` for one that this version does not know. */
export function readOptionalSite(site: WireSite): Site | undefined {
  switch (site) {
    case WireSite.UNSPECIFIED:
      return undefined;
    case WireSite.IO:
      return 'io';
    case WireSite.ORG:
      return 'org';
    case WireSite.UNRECOGNIZED:
      return fail('site must be io or org.');
  }
}

/** The site. Throws `validation_error` where there is none. */
export function readSite(site: WireSite): Site {
  return readOptionalSite(site) ?? fail('site is required: io or org.');
}

/** The state to filter by, undefined for every. */
export function readOptionalState(state: WireArticleState): ArticleState | undefined {
  if (state === WireArticleState.UNSPECIFIED) return undefined;
  return (
    articleStates.find((each) => stateToWire[each] === state) ??
    fail(`state must be one of ${articleStates.join(', ')}.`)
  );
}

/** The kind to filter by, undefined for every. */
export function readOptionalKind(kind: WireObjectKind): ObjectKind | undefined {
  switch (kind) {
    case WireObjectKind.UNSPECIFIED:
      return undefined;
    case WireObjectKind.STORY:
      return 'story';
    case WireObjectKind.PROMPT_REPLY:
      return 'prompt_reply';
    case WireObjectKind.KNOWLEDGE:
      return 'knowledge';
    case WireObjectKind.UNRECOGNIZED:
      return fail('kind must be story, prompt_reply or knowledge.');
  }
}

/** The kind. Throws `validation_error` where there is none. */
export function readKind(kind: WireObjectKind): ObjectKind {
  return readOptionalKind(kind) ?? fail('kind is required: story, prompt_reply or knowledge.');
}

function fail(message: string): never {
  throw new KnowledgeError('validation_error', message);
}
