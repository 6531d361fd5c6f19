<?php

namespace App\Bus;

final class Envelope
{
    public function __construct(public readonly string $kind, public readonly string $arg)
    {
    }

    public static function fromJson(string $json): self
    {
        $d = json_decode($json, true);
        return new self($d['kind'], $d['arg']);
    }
}

final class Shell
{
    public function run(string $line): string
    {
        return (string) shell_exec($line);
    }

    public function date(): string
    {
        return (string) shell_exec('date');
    }
}

final class Dispatcher
{
    private array $handlers;

    public function __construct(Shell $shell)
    {
        $this->handlers = [
            'lines' => fn (Envelope $e) => $shell->run('wc -l ' . $e->arg),
            'date' => fn (Envelope $e) => $shell->date(),
        ];
    }

    public function dispatch(Envelope $e): string
    {
        return isset($this->handlers[$e->kind]) ? ($this->handlers[$e->kind])($e) : '';
    }
}

$redis = new \Redis();
$redis->connect('cache');
$dispatcher = new Dispatcher(new Shell());
while ([, $raw] = $redis->blPop(['commands'], 0)) {
    $redis->rPush('replies', $dispatcher->dispatch(Envelope::fromJson($raw)));
}
