<?php

namespace Acme\Import;

use Generator;
use PhpAmqpLib\Channel\AMQPChannel;
use PhpAmqpLib\Message\AMQPMessage;
use UnexpectedValueException;
use ZipArchive;

final class ImportConsumer
{
    public function __construct(
        private AMQPChannel $channel,
        private string $spool = '/var/spool/import',
    ) {
    }

    public function listen(): void
    {
        $this->channel->basic_consume('partner.imports', '', false, false, false, false, [$this, 'handle']);
        while ($this->channel->is_consuming()) {
            $this->channel->wait();
        }
    }

    public function handle(AMQPMessage $message): void
    {
        ['archive' => $archive, 'tool' => $tool, 'report' => $report] = json_decode($message->getBody(), true);

        $count = 0;
        foreach ($this->entries(basename($archive)) as $name => $content) {
            $target = "{$this->spool}/out/$name";
            file_put_contents($target, $content);
            $count++;
        }

        $exit = $this->convert($tool);
        $this->report($report, ['files' => $count, 'exit' => $exit]);
        $this->callHook($message);
        $message->ack();
    }

    private function entries(string $archive): Generator
    {
        $zip = new ZipArchive();
        if ($zip->open("{$this->spool}/in/$archive") !== true) {
            throw new UnexpectedValueException('Cannot open archive');
        }
        for ($i = 0; $i < $zip->numFiles; $i++) {
            yield $zip->getNameIndex($i) => $zip->getFromIndex($i);
        }
        $zip->close();
    }

    private function convert(string $tool): int
    {
        $binary = match ($tool) {
            'csv' => '/usr/local/bin/csv-clean',
            'xml' => '/usr/local/bin/xml-clean',
            default => throw new UnexpectedValueException('Unknown tool'),
        };
        exec($binary . ' --dir ' . escapeshellarg($this->spool . '/out'), $output, $exit);
        return $exit;
    }

    private function report(string $name, array $summary): void
    {
        $slug = strtolower(preg_replace('/\s+/', '-', trim($name)));
        $handle = fopen("{$this->spool}/reports/$slug.json", 'w');
        fwrite($handle, json_encode($summary));
        fclose($handle);
    }

    private function callHook(AMQPMessage $message): void
    {
        $headers = $message->get('application_headers')->getNativeData();
        system(vsprintf('/usr/local/bin/import-hook --partner=%s --job=%d', [
            $headers['x-partner'] ?? 'none',
            $headers['x-job'] ?? 0,
        ]));
    }
}
