<?php

require_once __DIR__ . '/vendor/autoload.php';

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Message\AMQPMessage;
use Symfony\Component\Process\Process;

$connection = new AMQPStreamConnection('rabbit', 5672, getenv('MQ_USER'), getenv('MQ_PASS'));
$channel = $connection->channel();
$channel->queue_declare('imports', false, true, false, false);

$db = pg_connect('host=db dbname=imports');

$callback = function (AMQPMessage $msg) use ($db) {
    $job = json_decode($msg->getBody(), true);

    $process = new Process(['iconv', '-f', 'latin1', '-t', 'utf8', '--', '/tmp/in-' . sha1($job['name'])]);
    $process->run();

    $shell = Process::fromShellCommandline('sort -t' . $job['delimiter'] . ' /tmp/in.csv > /tmp/sorted.csv');
    $shell->mustRun();

    pg_query($db, "UPDATE import SET state = 'done' WHERE supplier = '" . $job['supplier'] . "'");
    pg_query_params($db, 'INSERT INTO import_log(name) VALUES ($1)', [$job['name']]);

    $msg->ack();
};

$channel->basic_consume('imports', '', false, false, false, false, $callback);
while ($channel->is_consuming()) {
    $channel->wait();
}
