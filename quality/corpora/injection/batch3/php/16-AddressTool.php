<?php

namespace Drupal\nettools\Controller;

use Drupal\Core\Controller\ControllerBase;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;

class AddressTool extends ControllerBase
{
    public function reverse(Request $request): JsonResponse
    {
        $ip = $request->query->get('ip');
        if (filter_var($ip, FILTER_VALIDATE_IP) === false) {
            return new JsonResponse(['error' => 'ip'], 400);
        }

        return new JsonResponse(['name' => trim(`dig +short -x $ip`)]);
    }

    public function lookup(Request $request): JsonResponse
    {
        $host = $request->query->get('host');
        if ($host === null || $host === '') {
            return new JsonResponse(['error' => 'host'], 400);
        }
        if (strlen($host) > 253) {
            return new JsonResponse(['error' => 'length'], 400);
        }

        return new JsonResponse(['addresses' => explode("\n", `dig +short $host`)]);
    }

    public function hops(Request $request): JsonResponse
    {
        $host = $request->query->get('host');
        if (str_contains($host, ';')) {
            return new JsonResponse(['error' => 'host'], 400);
        }
        $handle = popen('traceroute -n ' . $host, 'r');
        $text = stream_get_contents($handle);
        pclose($handle);

        return new JsonResponse(['hops' => substr_count($text, "\n")]);
    }
}
