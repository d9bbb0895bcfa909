import { randomUUID } from 'node:crypto';
import { Site as WireSite } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type ConnectOptions, connectGrpc } from '@knowledge/runtime/grpc';
import type { ContributionType } from '@knowledge/runtime/product';
import { catalogObject, editedAt, withoutControls } from '../domain/catalog-object.js';
import type { Contribution, Publication } from '../domain/contribution.js';

/**
 * The catalog of published objects. It applies a change only if the revision is higher than that of
 * the last change.
 */
export interface Catalog {
  /** Publishes or retracts a contribution. Returns the revision that the catalog then has. */
  apply(contribution: Contribution, publication: Publication, signal: AbortSignal): Promise<number>;
}

/** Changes the catalog, which the content service stores. */
export function connectCatalog(options: ConnectOptions): Catalog & { close(): void } {
  const content = connectGrpc(PublicationServiceService, {
    ...options,
    callerName: 'contributions',
    deadlineMs: 3000,
  });
  return {
    async apply(contribution, { action, revision, reason }, signal) {
      const { id } = contribution;
      const site = contribution.site === 'io' ? WireSite.IO : WireSite.ORG;
      const options = { requestId: randomUUID(), actor: 'contributions/publisher', signal };
      const { appliedRevision } =
        action === 'publish'
          ? await content.publishObject({ id, revision, site, ...objectOf(contribution) }, options)
          : await content.retractObject({ id, revision, site, reason: withoutControls(reason) }, options);
      return appliedRevision;
    },
    close: () => content.close(),
  };
}

/** Content refuses what is of no kind. */
const kindOf: Readonly<Record<ContributionType, ObjectKind>> = {
  story: ObjectKind.STORY,
  prompt_reply: ObjectKind.PROMPT_REPLY,
  inquiry: ObjectKind.UNSPECIFIED,
};

function objectOf(contribution: Contribution) {
  const { type, publishedAt } = contribution;
  const { prompt, ...shown } = catalogObject(contribution);
  return {
    kind: kindOf[type],
    ...shown,
    summary: '',
    language: contribution.language,
    prompt: prompt ?? undefined,
    publishedAt: publishedAt ?? undefined,
    editedAt: editedAt(contribution),
  };
}
