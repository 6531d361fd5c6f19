using System.IO;
using System.Threading.Tasks;
using Amazon.Lambda.APIGatewayEvents;
using Amazon.Lambda.Core;

[assembly: LambdaSerializer(typeof(Amazon.Lambda.Serialization.SystemTextJson.DefaultLambdaJsonSerializer))]

namespace Letters;

public class Function
{
    private const bool CustomTemplates = false;
    private const int Version = 3;
    private const string Root = "/mnt/letters";

    public async Task<APIGatewayHttpApiV2ProxyResponse> Template(APIGatewayHttpApiV2ProxyRequest request, ILambdaContext context)
    {
        var name = "standard.txt";
        if (CustomTemplates)
        {
            name = request.QueryStringParameters["template"];
        }
        var body = await File.ReadAllTextAsync(Path.Combine(Root, name));
        return new APIGatewayHttpApiV2ProxyResponse { StatusCode = 200, Body = body };
    }

    public async Task<APIGatewayHttpApiV2ProxyResponse> Letter(APIGatewayHttpApiV2ProxyRequest request, ILambdaContext context)
    {
        var name = Version >= 2 ? request.QueryStringParameters["letter"] : "old.txt";
        var body = await File.ReadAllTextAsync(Path.Combine(Root, "letters", name));
        return new APIGatewayHttpApiV2ProxyResponse { StatusCode = 200, Body = body };
    }

    public APIGatewayHttpApiV2ProxyResponse Store(APIGatewayHttpApiV2ProxyRequest request, ILambdaContext context)
    {
        string target;
        switch (Version)
        {
            case 3:
                target = request.PathParameters["proxy"];
                break;
            default:
                target = "latest.txt";
                break;
        }
        File.WriteAllText(Root + "/drafts/" + target, request.Body);
        return new APIGatewayHttpApiV2ProxyResponse { StatusCode = 204 };
    }
}
