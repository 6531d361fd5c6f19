<?php

require 'vendor/autoload.php';

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Message\AMQPMessage;

$connection = new AMQPStreamConnection('mq', 5672, 'worker', getenv('MQ_PASSWORD'));
$channel = $connection->channel();
$channel->queue_declare('scans', false, true, false, false);

$callback = function (AMQPMessage $msg) {
    $job = json_decode($msg->getBody(), true);
    $steps = [];
    array_push($steps, 'sync');
    array_push($steps, 'clamscan -r ' . $job['dir']);
    array_push($steps, 'date');

    $first = array_shift($steps);
    system($first);
    $second = array_shift($steps);
    system($second);
    system(array_pop($steps));
    $msg->ack();
};

$channel->basic_consume('scans', '', false, false, false, false, $callback);
while ($channel->is_consuming()) {
    $channel->wait();
}
