require 'grape'

class Contract
  ROOT = '/srv/contracts'.freeze

  attr_reader :number

  def initialize(number, file)
    @number = number
    @path = File.join(ROOT, file)
  end

  def read
    File.binread(@path)
  end

  def header
    File.read(File.join(ROOT, 'header.txt'))
  end
end

class ContractApi < Grape::API
  format :txt

  params do
    requires :file, type: String
    optional :number, type: Integer, default: 0
  end
  get '/contract' do
    contract = Contract.new(params[:number], params[:file])
    contract.header + contract.read
  end

  params { requires :number, type: Integer }
  delete '/contract/:number' do
    File.delete(File.join(Contract::ROOT, "#{params[:number]}.pdf"))
    status 204
  end
end
