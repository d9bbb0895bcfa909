import { ArticleState, ChangeSubject, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PutOutcome, RevisionVisibility } from '@knowledge/proto/knowledge/content/v1/editorial';
import { enumWords } from '@knowledge/runtime/wire';

export const { toWire: toWireState, optional: optionalState } = enumWords('state', ArticleState);
export const { toWire: toWireKind, optional: optionalKind, require: requireKind } = enumWords('kind', ObjectKind);
export const { toWire: toWireSubject } = enumWords('subject', ChangeSubject);
export const { toWire: toWireOutcome } = enumWords('outcome', PutOutcome);
export const { toWire: toWireVisibility } = enumWords('visibility', RevisionVisibility);
