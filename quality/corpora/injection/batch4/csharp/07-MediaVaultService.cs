using Google.Protobuf;
using Grpc.Core;
using MediaVault.Grpc;

namespace MediaVault.Services;

public class MediaVaultService : Vault.VaultBase
{
    private readonly VaultPaths _paths = new("/srv/vault");

    private sealed class VaultPaths
    {
        private readonly string _root;

        public VaultPaths(string root) => _root = root;

        public string For(string bucket, string name) => Path.Join(_root, bucket, name);

        public bool TryResolve(string name, out string full)
        {
            full = Path.GetFullPath(Path.Combine(_root, name));
            return full.StartsWith(_root + "/", StringComparison.Ordinal);
        }
    }

    public override async Task<BlobReply> Fetch(BlobRequest request, ServerCallContext context)
    {
        var path = _paths.For("originals", request.Name);
        var bytes = await File.ReadAllBytesAsync(path, context.CancellationToken);
        return new BlobReply { Data = ByteString.CopyFrom(bytes) };
    }

    public override async Task<StoreReply> Store(IAsyncStreamReader<StoreChunk> stream, ServerCallContext context)
    {
        FileStream? output = null;
        long total = 0;
        await foreach (var chunk in stream.ReadAllAsync())
        {
            output ??= new FileStream(_paths.For("incoming", chunk.FileName), FileMode.Create);
            await output.WriteAsync(chunk.Data.Memory);
            total += chunk.Data.Length;
        }
        if (output is not null)
            await output.DisposeAsync();
        return new StoreReply { Size = total };
    }

    public override Task<RemoveReply> Remove(RemoveRequest request, ServerCallContext context)
    {
        if (!_paths.TryResolve(request.Name, out var full))
            throw new RpcException(new Status(StatusCode.InvalidArgument, "name"));
        File.Delete(full);
        return Task.FromResult(new RemoveReply());
    }

    public override async Task<BlobReply> Poster(PosterRequest request, ServerCallContext context)
    {
        ulong id = request.MediaId;
        var bytes = await File.ReadAllBytesAsync($"/srv/vault/posters/{id}.jpg");
        return new BlobReply { Data = ByteString.CopyFrom(bytes) };
    }

    public override async Task<TextReply> Subtitles(SubtitleRequest request, ServerCallContext context)
    {
        var language = request.Language is { Length: 2 or 5 } code ? code : "en";
        var file = string.Join('/', "/srv/vault", "subtitles", language, request.Title);
        return new TextReply { Text = await File.ReadAllTextAsync(file) };
    }
}
