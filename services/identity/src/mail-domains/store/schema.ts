import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { count, date, exactly, hash, purgeIndex, text } from '../../store/schema-parts.js';
import { domainDaysName, domainRulesName } from './domain-rules.js';

/** The rules by domain, and the new humans of each day under a limit. The shard key of both is the hashed `_id`. */
export const mailDomainsSchema: readonly CollectionDeclaration[] = [
  {
    name: domainRulesName,
    validator: {
      $jsonSchema: exactly({
        _id: text,
        effect: { enum: ['allow', 'limit', 'refuse'] },
        humansADay: count,
        actor: text,
        at: date,
        reason: text,
      }),
    },
  },
  {
    name: domainDaysName,
    validator: { $jsonSchema: exactly({ _id: text, humans: { bsonType: 'array', items: hash }, purgeAt: date }) },
    indexes: [purgeIndex],
  },
];
