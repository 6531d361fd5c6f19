<?php

require __DIR__ . '/vendor/autoload.php';

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Message\AMQPMessage;
use Symfony\Component\Process\Process;

$connection = new AMQPStreamConnection('rabbit', 5672, 'site', getenv('RABBIT_PW'));
$channel = $connection->channel();
$channel->queue_declare('site-tasks', false, true, false, false);

$tasks = [
    'warm' => function (array $m): void {
        $pipes = [];
        $h = proc_open("wget -q -O /dev/null {$m['url']}", [1 => ['pipe', 'w']], $pipes);
        proc_close($h);
    },
    'shot' => function (array $m): void {
        $p = new Process(['chromium', '--headless', '--screenshot=/srv/shots/last.png', '--', $m['url']]);
        $p->mustRun();
    },
    'purge' => function (array $m): void {
        $p = Process::fromShellCommandline('varnishadm ban "req.url ~ ' . $m['pattern'] . '"');
        $p->run();
    },
    'drop' => function (array $m): void {
        unlink('/srv/cache/' . $m['key'] . '.bin');
    },
];

$channel->basic_consume('site-tasks', '', false, false, false, false, function (AMQPMessage $msg) use ($tasks) {
    $m = json_decode($msg->getBody(), true, 8, JSON_THROW_ON_ERROR);
    if (isset($tasks[$m['task']])) {
        $tasks[$m['task']]($m);
    }
    $msg->ack();
});

while ($channel->is_consuming()) {
    $channel->wait();
}
