using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Amazon.Lambda.APIGatewayEvents;
using Amazon.Lambda.Core;

[assembly: LambdaSerializer(typeof(Amazon.Lambda.Serialization.SystemTextJson.DefaultLambdaJsonSerializer))]

namespace Assets.Serverless;

public abstract record Command;
public record ReadCommand(string Key) : Command;
public record CopyCommand(string From, string Label) : Command;
public record StoreCommand(string Owner, string Content) : Command;

public class AssetLambda
{
    private const string Root = "/mnt/efs/assets";
    private const string Cache = "/mnt/efs/cache";

    public async Task<APIGatewayProxyResponse> Handle(APIGatewayProxyRequest request, ILambdaContext context)
    {
        if (request.HttpMethod == "GET")
            return Reply(await Preview(request.PathParameters["proxy"]));
        var command = Parse(request.Body);
        return command switch
        {
            ReadCommand { Key: var key } => Reply(await Read(key)),
            CopyCommand(var from, var label) => Reply(Copy(from, label)),
            StoreCommand store => Reply(await Store(store)),
            _ => new APIGatewayProxyResponse { StatusCode = 400 },
        };
    }

    private static Command? Parse(string body)
    {
        using var json = JsonDocument.Parse(body);
        return json.RootElement.GetProperty("type").GetString() switch
        {
            "read" => json.RootElement.Deserialize<ReadCommand>(),
            "copy" => json.RootElement.Deserialize<CopyCommand>(),
            "store" => json.RootElement.Deserialize<StoreCommand>(),
            _ => null,
        };
    }

    private static async Task<string> Preview(string raw)
    {
        if (raw.Contains("..") || raw.StartsWith('/'))
            return "";
        var path = Path.Combine(Root, Uri.UnescapeDataString(raw));
        return await File.ReadAllTextAsync(path);
    }

    private static async Task<string> Read(string key)
    {
        var path = Path.GetFullPath(Path.Combine(Root, Uri.UnescapeDataString(key)));
        if (!path.StartsWith(Root + '/', StringComparison.Ordinal))
            return "";
        return await File.ReadAllTextAsync(path);
    }

    private static string Copy(string from, string label)
    {
        var name = label.Split('/')[0];
        var source = Path.Combine(Root, "shared", from);
        File.Copy(source, Path.Combine(Cache, Guid.NewGuid() + ".bin"));
        return name;
    }

    private static async Task<string> Store(StoreCommand store)
    {
        var digest = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(store.Owner)));
        await File.WriteAllTextAsync(Path.Combine(Cache, digest + ".txt"), store.Content);
        return digest;
    }

    private static APIGatewayProxyResponse Reply(string body) => new() { StatusCode = 200, Body = body };
}
