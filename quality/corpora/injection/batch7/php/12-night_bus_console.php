<?php

namespace NightBus;

use PDO;

trait RunsCommands
{
    private array $log = [];

    private function execute(string $program, array $arguments): int
    {
        $line = $program . ' ' . implode(' ', array_map('escapeshellarg', $arguments));
        $this->log[] = $line;
        passthru($line, $exit);
        return $exit;
    }

    private function executeRaw(string $program, array $options): int
    {
        $parts = [];
        foreach ($options as $name => $value) {
            $parts[] = "--$name=$value";
        }
        passthru($program . ' ' . implode(' ', $parts), $exit);
        return $exit;
    }
}

class Webhook
{
    use RunsCommands;

    public function __construct(private PDO $db, private string $spool = '/var/spool/nightbus')
    {
    }

    public static function main(): void
    {
        $event = json_decode(file_get_contents('php://input'), true, 16, JSON_THROW_ON_ERROR);
        $hook = new self(new PDO('sqlite:/var/lib/nightbus.db'));
        header('Content-Type: application/json');
        echo json_encode($hook->dispatch($event));
    }

    public function dispatch(array $event): array
    {
        return match ($event['type'] ?? null) {
            'sign' => ['exit' => $this->execute('bus-sign', ['--', $event['stop'], $event['text']])],
            'voice' => ['exit' => $this->executeRaw('bus-voice', $event['options'])],
            'stops' => $this->stops($event['prefix'] ?? ''),
            'delay' => $this->delay($event['line'] ?? 0),
            'replay' => ['raw' => $this->replay($event['journal'])],
            default => ['error' => 'type'],
        };
    }

    private function stops(string $prefix): array
    {
        $pattern = addcslashes($prefix, '%_');
        $sql = "SELECT code, name FROM stops WHERE name LIKE '$pattern%' ESCAPE '\\'";
        return $this->db->query($sql)->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    private function delay(mixed $line): array
    {
        $number = filter_var($line, FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 999]]);
        if ($number === false) {
            return ['error' => 'line'];
        }
        return $this->db->query("SELECT stop, minutes FROM delays WHERE line = $number")->fetchAll();
    }

    private function replay(string $journal): string
    {
        $file = $this->spool . '/' . str_replace('../', '', $journal);
        return is_readable($file) ? base64_encode(file_get_contents($file)) : '';
    }
}

Webhook::main();
