// A language model's answer is streamed word by word. Stopping it also stops the model.
import { Conversation } from '../support/conversation.js';
import { ACME } from '../support/data.js';
import { expect, test } from '../support/fixtures.js';
import { SlowModel } from '../support/model.js';
import { Service } from '../support/service.js';

test('an answer streams, is stopped, and what was said stays', async ({ page, host }) => {
  const model = await SlowModel.start(Array.from({ length: 200 }, (_, number) => `word${number}`));
  // A model on this machine must be allowed.
  const service = await Service.start(host.origin, { environment: { INLAY_ALLOW_PRIVATE_SOURCES: '127.0.0.1' } });
  try {
    await service.command(
      'model',
      'set',
      '--organization',
      service.organizationId,
      '--provider',
      'openai',
      '--address',
      model.address,
      '--model',
      'slow',
    );
    const conversation = await Conversation.open(page, service, ACME, { user: 'waits' });
    await conversation.input.fill('Tell me everything');
    await conversation.button('Send').click();
    await expect(conversation.button('Stop')).toBeVisible();
    await expect(conversation.log).toContainText('word1');
    expect(await conversation.log.textContent()).not.toContain('word30');
    await expect(conversation.log).toContainText('word4');
    expect(model.listeners).toBe(1);
    await conversation.button('Stop').click();
    await expect(conversation.log).toContainText('Stopped.');
    await expect(conversation.button('Send')).toBeVisible();
    await expect.poll(() => model.listeners).toBe(0);
    const again = await Conversation.open(page, service, ACME, { user: 'waits' });
    await expect(again.log).toContainText('Tell me everything');
    await expect(again.log).toContainText('word4');
    await expect(again.log).toContainText('Stopped.');
    await expect(again.button('Try again')).toBeVisible();
  } finally {
    await service.stop();
    await model.stop();
  }
});
