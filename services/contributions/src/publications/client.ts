import { randomUUID } from 'node:crypto';
import { Site as WireSite } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type ConnectOptions, connectGrpc } from '@knowledge/runtime/grpc';
import { publicTypes } from '@knowledge/runtime/product';
import { enumWords } from '@knowledge/runtime/wire';
import type { Contribution, Publication } from '../domain/contribution.js';
import { catalogObject, editedAt } from './domain.js';

/**
 * The catalog of published objects, which the content service stores. It applies a change only if the revision is higher
 * than that of the last change.
 */
export function connectCatalog(options: ConnectOptions) {
  const content = connectGrpc(PublicationServiceService, {
    ...options,
    callerName: 'contributions',
    deadlineMs: 3000,
  });
  return {
    /** Publishes or retracts a contribution. Returns the revision that the catalog then has. */
    async apply(contribution: Contribution, { action, revision, reason }: Publication, signal: AbortSignal) {
      const { id } = contribution;
      const site = contribution.site === 'io' ? WireSite.IO : WireSite.ORG;
      const options = { requestId: randomUUID(), actor: 'contributions/publisher', signal };
      const { appliedRevision } =
        action === 'publish'
          ? await content.publishObject({ id, revision, site, ...objectOf(contribution) }, options)
          : await content.retractObject({ id, revision, site, reason }, options);
      return appliedRevision;
    },
    close: () => content.close(),
  };
}

export type Catalog = ReturnType<typeof connectCatalog>;

const objectKinds = enumWords('kind', ObjectKind);

function objectOf(contribution: Contribution) {
  const { type, publishedAt } = contribution;
  const { prompt, ...shown } = catalogObject(contribution);
  return {
    // Content refuses what is of no kind.
    kind: objectKinds.toWire(publicTypes.find((each) => each === type)),
    ...shown,
    summary: '',
    language: contribution.language,
    prompt: prompt ?? undefined,
    publishedAt: publishedAt ?? undefined,
    editedAt: editedAt(contribution),
  };
}
