// The stored description as generators of clients want it: every refusal has one shape, every answer and every inline object a name.
//   node sdk/describe.js < sdk/openapi.json
import { text } from 'node:stream/consumers';

const document = JSON.parse(await text(process.stdin));
const { schemas } = document.components;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const codes = new Set();
const REFUSAL = { description: 'A refusal.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } };

/** Gathers the error codes that a response names. */
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
        // It says nothing that the status does not.
        if (schemas[name].properties?.status) schemas[name].properties.status = { type: 'string' };
        content.schema = { $ref: `#/components/schemas/${name}` };
      }
    }
    operation.responses.default = REFUSAL;
  }
}
// A code that a later service answers must not break an older client: a list of what is known, no closed set.
schemas.ErrorCode = { type: 'string', enum: [...codes].sort(), description: 'Every code that an error can have today.' };

process.stdout.write(JSON.stringify(document));
