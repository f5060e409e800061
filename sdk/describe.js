// Converts the stored description for client generators: a single error type, and names for all responses and inline objects.
//   node sdk/describe.js < sdk/openapi.json
import { text } from 'node:stream/consumers';

const document = JSON.parse(await text(process.stdin));
const { schemas } = document.components;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const codes = new Set();
const REFUSAL = { description: 'A refusal.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } };

/** Collects the error codes in a response's description. */
function note(response) {
  for (const [, code] of (response.description ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`: /g)) codes.add(code);
}

for (const item of Object.values(document.paths)) {
  for (const operation of METHODS.map((method) => item[method]).filter(Boolean)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      delete response.headers;
      const content = response.content?.['application/json'];
      if (Number(status) >= 400) {
        note(response);
        delete operation.responses[status];
      } else if (content && !content.schema.$ref) {
        const name = `${capital(operation.operationId)}Answer`;
        schemas[name] = content.schema;
        // It only repeats the status.
        if (schemas[name].properties?.status) schemas[name].properties.status = { type: 'string' };
        content.schema = { $ref: `#/components/schemas/${name}` };
      }
    }
    operation.responses.default = REFUSAL;
  }
}
// An older client must accept codes of a newer service: the known codes are a list, not a closed set.
schemas.ErrorCode = { type: 'string', enum: [...codes].sort(), description: 'Every code that an error can have today.' };

process.stdout.write(JSON.stringify(document));
