<?php

namespace App\Documents;

use InvalidArgumentException;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Server\RequestHandlerInterface;

enum Kind: string
{
    case Contract = 'contract';
    case Invoice = 'invoice';
}

class DocumentDownload implements RequestHandlerInterface
{
    private const BASE = '/srv/documents';

    public function __construct(
        private ResponseFactoryInterface $responses,
        private StreamFactoryInterface $streams,
    ) {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $query = $request->getQueryParams();
        try {
            $stream = match ($query['mode'] ?? '') {
                'kind' => $this->byKind($query),
                'terms' => $this->terms($request),
                'legacy' => $this->legacy($query['name'] ?? null),
                'uuid' => $this->byUuid($query['uuid'] ?? ''),
                default => throw new InvalidArgumentException('mode'),
            };
        } catch (InvalidArgumentException $e) {
            return $this->responses->createResponse(400, $e->getMessage());
        }
        return $this->responses->createResponse()->withBody($stream);
    }

    private function byKind(array $query)
    {
        $kind = Kind::from($query['kind']);
        $number = intval($query['number'] ?? 0);
        return $this->streams->createStreamFromFile(self::BASE . "/{$kind->value}/$number.pdf");
    }

    private function terms(ServerRequestInterface $request)
    {
        $language = $request->getHeaderLine('X-Language') ?: 'en';
        return $this->streams->createStreamFromFile(self::BASE . '/terms/' . $language . '.pdf');
    }

    private function legacy(?string $name)
    {
        if ($name === null || str_contains($name, "\0")) {
            throw new InvalidArgumentException('name');
        }
        $clean = ltrim($name, './');
        return $this->streams->createStreamFromFile(self::BASE . '/legacy/' . $clean);
    }

    private function byUuid(string $uuid)
    {
        if (preg_match('/\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\z/', $uuid) !== 1) {
            throw new InvalidArgumentException('uuid');
        }
        return $this->streams->createStreamFromFile(self::BASE . '/' . substr($uuid, 0, 2) . '/' . $uuid);
    }
}
