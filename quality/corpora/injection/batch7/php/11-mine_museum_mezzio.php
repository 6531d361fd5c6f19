<?php

declare(strict_types=1);

namespace Museum\Handler;

use Laminas\Db\Adapter\Adapter;
use Laminas\Db\Sql\Expression;
use Laminas\Db\Sql\Sql;
use Laminas\Diactoros\Response\JsonResponse;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Ramsey\Uuid\Uuid;

final class ExhibitHandler implements RequestHandlerInterface
{
    private const IMAGES = '/srv/museum/images/';

    public function __construct(private Adapter $adapter)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        return match ($request->getMethod()) {
            'GET' => $this->list($request),
            'POST' => $this->store($request),
            'DELETE' => $this->remove($request),
            default => new JsonResponse(null, 405),
        };
    }

    private function list(ServerRequestInterface $request): ResponseInterface
    {
        $query = $request->getQueryParams();
        $language = $request->getHeaderLine('X-Language') ?: 'en';

        $texts = $this->adapter->query(
            "SELECT exhibit_id, text FROM texts WHERE language = '$language'",
            Adapter::QUERY_MODE_EXECUTE
        );

        $sql = new Sql($this->adapter);
        $select = $sql->select('exhibits')
            ->columns(['id', 'title'])
            ->where(new Expression('gallery = ? OR lender = ?', [$query['gallery'] ?? '', $query['lender'] ?? '']));
        $exhibits = $sql->prepareStatementForSqlObject($select)->execute();

        return new JsonResponse([
            'texts' => iterator_to_array($texts),
            'exhibits' => iterator_to_array($exhibits),
        ]);
    }

    private function store(ServerRequestInterface $request): ResponseInterface
    {
        $stored = [];
        foreach ($request->getUploadedFiles()['images'] ?? [] as $kind => $file) {
            $id = Uuid::uuid4()->toString();
            $file->moveTo(self::IMAGES . $id . '.jpg');
            $original = ltrim($file->getClientFilename() ?? 'unnamed', './');
            file_put_contents(self::IMAGES . $id . '.name', $original);
            $stored[] = $id;
        }
        return new JsonResponse(['stored' => $stored], 201);
    }

    private function remove(ServerRequestInterface $request): ResponseInterface
    {
        $id = $request->getAttribute('id');
        $image = self::IMAGES . ($request->getQueryParams()['variant'] ?? 'full') . '/' . $id . '.jpg';
        if (Uuid::isValid($id) && file_exists($image)) {
            unlink($image);
        }
        $this->adapter->query('DELETE FROM exhibits WHERE image = ?', [$id]);
        return new JsonResponse(null, 204);
    }
}
